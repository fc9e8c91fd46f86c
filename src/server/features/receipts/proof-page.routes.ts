import type { FastifyInstance, FastifyRequest } from 'fastify';
import { proofPath } from '#contract/proofs.ts';
import { ID_PATTERN } from '#contract/schemas/shared.ts';
import { VERIFIER_PATH } from '#contract/verifier.ts';
import { Failure } from '#domain/failures.ts';
import { LANGUAGES } from '#messages';
import type { AppDeps } from '#server/deps.ts';
import { noProofDocument, proofDocument, readVerifier } from '#server/features/proofs/proof-page.ts';
import { readProof } from '#server/features/proofs/read-proofs.ts';
import { sendProblem } from '#server/http/problems.ts';
import { findOrg } from '#server/orgs/find-org.ts';
import { receiptSourceByKey } from './receipt-sources.store.ts';

type OfOrg = FastifyRequest<{ Params: { orgid: string }; Querystring: Record<string, unknown> }>;

/** A gift's proof as a document that checks itself, for whom has the key of its receipt, and the program that checks it. */
export async function proofPageRoutes(
  app: FastifyInstance,
  { db, publicUrl }: Pick<AppDeps, 'db' | 'publicUrl'>,
): Promise<void> {
  app.get(VERIFIER_PATH, async (_request, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(await readVerifier()),
  );
  for (const language of LANGUAGES) {
    app.get(proofPath(':orgid', language).replace('%3A', ':'), async (request: OfOrg, reply) => {
      const { orgid } = request.params;
      const { key } = request.query;
      const org = ID_PATTERN.test(orgid) ? await findOrg(db, orgid) : undefined;
      if (!org) return sendProblem(request, reply, new Failure('page-not-found'));
      const shown = { org, language, publicUrl: publicUrl() };
      const isKey = typeof key === 'string' && ID_PATTERN.test(key);
      const source = isKey ? await receiptSourceByKey(db.kysely, orgid, key) : undefined;
      const proof = source && (await readProof(db, orgid, source.ledger_entry_id));
      const { text, policy } =
        proof && !(proof instanceof Failure)
          ? await proofDocument(shown, proof)
          : noProofDocument(shown, source ? 'soon' : 'no-receipt');
      void reply.headers({
        'content-security-policy': policy,
        'cache-control': 'no-store',
        // Anyone with the key may open the receipt: other sites don't learn it.
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex',
      });
      return reply
        .status(source ? 200 : 404)
        .type('text/html; charset=utf-8')
        .send(text);
    });
  }
}
