import type { Invocation } from '../../command.ts';
import type { canIFlags } from './flags.ts';
import { resourcesOf } from '../../find-type.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { annotationsOf } from '../../../meta/object-meta.ts';
import { isTrue, objectAt, objectsAt, stringAt, stringsAt } from '../../../meta/read-field.ts';
import { CliError } from '../../cli-error.ts';
import type { CliIo } from '../../cli-io.ts';
import { withClient } from '../../connect.ts';
import { columnWidths, formatRows, visibleLines, visibleText } from '../../format-rows.ts';
import { type AccessQuestion, accessQuestion } from './access-question.ts';
import { postReview } from './post-review.ts';

/** `cl auth can-i`: prints whether the user may do something, or all that it may do. */
export async function canI({ words, options, io }: Invocation<typeof canIFlags>): Promise<void> {
  await withClient({ options, io }, async (client) => {
    const resources = await resourcesOf({ client, options, io });
    const { namespace } = client.settings;
    const review = { client, resources, signal: io.signal };
    if (options.list) {
      const spec = { namespace };
      const answer = await postReview({ ...review, resource: 'selfsubjectrulesreviews', spec });
      showRules(objectAt(answer, 'status'), options, io);
      return;
    }
    const question = accessQuestion(words, { resources, namespace, options, io });
    const spec = specOf(question);
    const explain = options.why;
    const answer = await postReview({ ...review, resource: 'selfsubjectaccessreviews', spec, explain });
    const allowed = isTrue(objectAt(answer, 'status'), 'allowed');
    if (!options.quiet) io.stdout.write(answerText(answer, allowed, options));
    if (!allowed) throw new CliError('not allowed', { silent: true });
  });
}

/** The spec of a review; empty fields are left out. */
function specOf({ verb, path, ...attributes }: AccessQuestion): JsonObject {
  if (path !== '') return { nonResourceAttributes: { verb, path } };
  const filled = Object.entries({ verb, ...attributes }).filter(([, value]) => value !== '');
  return { resourceAttributes: Object.fromEntries(filled) };
}

function answerText(answer: JsonObject, allowed: boolean, { why }: Invocation<typeof canIFlags>['options']): string {
  const status = objectAt(answer, 'status');
  const said = visibleText(
    [stringAt(status, 'reason'), stringAt(status, 'evaluationError')].filter(Boolean).join('; '),
  );
  const word = allowed ? 'yes' : 'no';
  if (!why) return allowed || said === '' ? `${word}\n` : `${word} - ${said}\n`;
  const explanation = Object.entries(annotationsOf(answer)).find(([name]) => name.endsWith('/explanation'))?.[1];
  return `${word}\n${explanation === undefined ? said || 'the server gives no reason' : visibleLines(explanation)}\n`;
}

function showRules(status: JsonObject, { noHeaders }: Invocation<typeof canIFlags>['options'], io: CliIo): void {
  const list = (rule: JsonObject, field: string): string => `[${stringsAt(rule, field).join(' ')}]`;
  const rows = [
    ...(noHeaders ? [] : [['Resources', 'Non-Resource URLs', 'Resource Names', 'Verbs']]),
    ...objectsAt(status, 'resourceRules').flatMap((rule) =>
      qualifiedResources(rule).map((resource) => [resource, '[]', list(rule, 'resourceNames'), list(rule, 'verbs')]),
    ),
    ...objectsAt(status, 'nonResourceRules').map((rule) => [
      '',
      list(rule, 'nonResourceURLs'),
      '[]',
      list(rule, 'verbs'),
    ]),
  ];
  const shown = rows.map((row) => row.map(visibleText));
  io.stdout.write(formatRows(shown, columnWidths(shown)));
  const error = stringAt(status, 'evaluationError');
  if (isTrue(status, 'incomplete'))
    io.stderr.write(`Warning: the list may be incomplete${error ? `: ${error}` : ''}\n`);
}

/** The resources of a rule with their groups: `deployments.apps`. */
function qualifiedResources(rule: JsonObject): readonly string[] {
  return stringsAt(rule, 'apiGroups').flatMap((group) =>
    stringsAt(rule, 'resources').map((resource) => (group === '' ? resource : `${resource}.${group}`)),
  );
}
