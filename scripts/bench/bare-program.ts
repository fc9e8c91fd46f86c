import Fastify from 'fastify';
import pg from 'pg';

// The baseline of `npm run bench -- start`: what a program on Fastify and PostgreSQL cannot do without.

const { DATABASE_URL: connectionString, PORT } = process.env;
const pool = new pg.Pool({ connectionString });
await pool.query('select 1');
const app = Fastify();
app.setNotFoundHandler((_request, reply) => reply.status(404).send('There is no such page.'));
await app.listen({ port: Number(PORT), host: 'localhost' });
process.once('SIGTERM', () => process.exit());
