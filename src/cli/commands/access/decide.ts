import type { ApiObject } from '../../../client/api-object.ts';
import { resourcesOf } from '../../find-type.ts';
import { findResource } from '../../../client/find-resource.ts';
import { hasReason } from '../../../client/error-of-response.ts';
import { CliError } from '../../cli-error.ts';
import type { Invocation } from '../../command.ts';
import type { decideFlags } from './flags.ts';
import { withClient } from '../../connect.ts';
import { objectName } from '../../printers/json.ts';
import { objectPrinter } from '../../printers/print-object.ts';
import type { ResourceClient } from '../../../client/resource-client.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { nameOf } from '../../../meta/object-meta.ts';
import type { CliIo } from '../../cli-io.ts';
import { forEachObject } from '../../for-each-object.ts';
import { readManifests } from '../../manifests/read-manifests.ts';

/** A request as far as a decision changes it. */
interface DecidedRequest extends ApiObject {
  status?: { conditions?: { type: string; [field: string]: unknown }[] };
}

/** A decision, and the words of its output. */
const decisions = Object.freeze({
  approve: { type: 'Approved', reason: 'ClApprove', word: 'approved' },
  deny: { type: 'Denied', reason: 'ClDeny', word: 'denied' },
});

type Verb = keyof typeof decisions;
type Decision = Invocation<typeof decideFlags>;

/** The conditions that decide: a request has one of them. */
const deciding: ReadonlySet<string> = new Set(Object.values(decisions).map(({ type }) => type));

/** Times that a decision is tried again when another client writes the request. */
const conflictLimit = 10;

/** `cl certificate approve`. */
export const approve = (invocation: Decision): Promise<void> => decide('approve', invocation);
/** `cl certificate deny`. */
export const deny = (invocation: Decision): Promise<void> => decide('deny', invocation);

async function decide(verb: Verb, { words, options, io }: Decision): Promise<void> {
  const names = [...words, ...(await namesInFiles(options, io))];
  if (names.length === 0) {
    throw new CliError('one or more CSRs must be specified as NAME or -f FILE', {
      hint: `for example: cl certificate ${verb} ann`,
    });
  }
  const { word } = decisions[verb];
  const isPrinted = options.output !== undefined || options.template !== undefined;
  const print = isPrinted ? await objectPrinter(options, io) : undefined;
  await withClient({ options, io }, async (client) => {
    const found = findResource(await resourcesOf({ client, options, io }), 'certificatesigningrequests');
    if (!found) throw new CliError('the server has no certificate signing requests');
    const resource = client.resource<DecidedRequest>({ ...found });
    await forEachObject(
      names,
      async (name) => {
        const decided = await decideOne(resource, name, { verb, force: options.force, signal: io.signal });
        // The client returns JSON.
        return print ? print(decided as JsonObject) : `${objectName(found, name)} ${word}\n`;
      },
      { io, done: word },
    );
  });
}

async function namesInFiles(places: Decision['options'], io: CliIo): Promise<string[]> {
  if (places.filename.length === 0 && places.kustomize === undefined) return [];
  const manifests = await readManifests(places, io);
  return manifests.map(({ object }) => nameOf(object));
}

interface DecisionOptions {
  readonly verb: Verb;
  readonly force: boolean;
  readonly signal: AbortSignal;
}

/** Writes the decision, unless it is made already, or the other one is. */
async function decideOne(
  resource: ResourceClient<DecidedRequest>,
  name: string,
  { verb, force, signal }: DecisionOptions,
): Promise<DecidedRequest> {
  const { type, reason, word } = decisions[verb];
  const condition = { type, status: 'True', reason, message: `This CSR was ${word} by cl certificate ${verb}.` };
  for (let attempt = 0; ; attempt++) {
    const request = await resource.get(name, { signal });
    const { conditions = [] } = request.status ?? {};
    const other = conditions.find((each) => each.type !== type && deciding.has(each.type));
    if (other) throw new CliError(`certificate signing request "${name}" is already ${other.type}`);
    if (conditions.some((each) => each.type === type) && !force) return request;
    const others = conditions.filter((each) => each.type !== type);
    const decided = { ...request, status: { ...request.status, conditions: [...others, condition] } };
    try {
      return await resource.update(decided, { subresource: 'approval', signal });
    } catch (error) {
      if (!hasReason(error, 'Conflict') || attempt === conflictLimit) throw error;
    }
  }
}
