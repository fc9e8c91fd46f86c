import http from 'node:http';
import { buffer } from 'node:stream/consumers';

// What `npm run bench -- pages` compares the program with: node:http alone, which sends one answer that it is given.
// It reads its headers as a line of JSON and then the body from its input, and says on which port it listens.

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
