/**
 * Who looks after the sample, and signs in by a link. Nobody gets mail at a name that ends in ".example" (RFC 2606), so
 * nobody can be them but whoever reads the development mailbox.
 */
export const SAMPLE_EDITOR = { email: 'editor@sample.example', name: 'Robin Alder' } as const;
export const SAMPLE_ADMIN = { email: 'admin@sample.example', name: 'Quinn Larch' } as const;
