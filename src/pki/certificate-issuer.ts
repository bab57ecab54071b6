import { lazyModule } from '../package/lazy-module.ts';

/**
 * Loads the functions that issue certificates: a start with valid certificates does without the
 * large ASN.1 library.
 */
export const loadCertificateIssuer = lazyModule(() => import('./issue-certificate.ts'));
