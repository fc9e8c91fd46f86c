/**
 * The program that checks proofs and heads (docs/proof.md), as one file that needs no other. Apart from the addresses of
 * proofs, since two parts of the site would share a file for it.
 */
export const VERIFIER_PATH = '/media/proofs/verify-gift.mjs';
