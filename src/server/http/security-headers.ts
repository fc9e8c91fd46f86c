import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '#server/deps.ts';

/**
 * What a browser is told to refuse: everything that is not the program's own, scripts and styles inside the page, and
 * being framed. A page of the program that needs an exception sets its own policy.
 */
export async function securityHeaders(
  app: FastifyInstance,
  { production, apiOrigins, pageOrigins }: Pick<AppDeps, 'production' | 'apiOrigins' | 'pageOrigins'>,
): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'"],
        'style-src': ["'self'"],
        'img-src': ["'self'", 'data:', 'blob:', ...apiOrigins],
        'font-src': ["'self'"],
        'connect-src': ["'self'", ...apiOrigins],
        'manifest-src': ["'self'"],
        'form-action': ["'self'"],
        'frame-src': ["'self'"],
        'base-uri': ["'none'"],
        'frame-ancestors': ["'none'"],
        'object-src': ["'none'"],
      },
    },
    // Pages of other hosts show the pictures of this one.
    crossOriginResourcePolicy: { policy: pageOrigins.length > 0 ? 'cross-origin' : 'same-origin' },
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    // Over plain http on a developer's machine the promise of https would lock the browser out.
    strictTransportSecurity: production,
  });
}
