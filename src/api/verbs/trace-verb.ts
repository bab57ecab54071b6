import type { SpanAttributes, Tracing } from '../../tracing/span.ts';
import { shownPath } from '../filters/trace-spans.ts';
import type { Exchange } from '../request/exchange.ts';
import { verbFields } from '../request/verb-fields.ts';

/** The names of the spans of verbs, as in kube-apiserver. */
const names: Readonly<Record<string, string>> = {
  get: 'Get',
  list: 'List',
  watch: 'Watch',
  create: 'Create',
  update: 'Update',
  patch: 'Patch',
  delete: 'Delete',
  deletecollection: 'Delete',
};

/** The name of a verb in traces; undefined for others than those of resources. */
function tracedVerb(verb: string): string | undefined {
  return Object.hasOwn(names, verb) ? names[verb] : undefined;
}

/** Runs the handler of a request in the span of its verb. */
export function traceVerb(
  tracing: Tracing,
  exchange: Exchange,
  handle: () => Promise<void> | void,
): Promise<void> | void {
  const { span, path } = exchange;
  if (!span) return handle();
  const name = path.target ? tracedVerb(exchange.verb) : undefined;
  if (name === undefined) return span.run(handle);
  const attributes = (): SpanAttributes => ({ ...verbFields(exchange), url: shownPath(exchange) });
  return span.run(() => tracing.child(name, attributes, handle));
}
