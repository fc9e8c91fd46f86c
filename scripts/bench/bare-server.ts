import http from 'node:http';
import { buffer } from 'node:stream/consumers';

// The baseline of `npm run bench -- pages`: plain node:http that always sends the same response. Reads the headers (one line
// of JSON) and the body from stdin, and prints its port.

const input = await buffer(process.stdin);
const end = input.indexOf('\n');
const headers: http.OutgoingHttpHeaders = JSON.parse(input.subarray(0, end).toString());
const body = input.subarray(end + 1);
const server = http.createServer((_request, response) => {
  response.writeHead(200, headers).end(body);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(typeof address === 'object' ? address?.port : '');
});
process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});
