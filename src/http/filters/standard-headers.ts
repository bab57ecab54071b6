import type { Filter } from './filter.ts';

/** Headers of every answer, whatever becomes of the request. */
export function standardHeaders(): Filter {
  return (context, next) => {
    const { response, auditId } = context.state;
    response.setHeader('Audit-Id', auditId);
    response.setHeader('Cache-Control', 'no-cache, private');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    return next();
  };
}
