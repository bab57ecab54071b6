import { lateModule } from '../package/late-module.ts';

/**
 * Loads the functions that issue certificates: a start with valid certificates does without the
 * large ASN.1 library.
 */
export const loadCertificateIssuer = lateModule(() => import('./issue-certificate.ts'));
