import type { ApiObject } from '../../../client/api-object.ts';
import { resourcesOf } from '../../find-type.ts';
import { findResource } from '../../../client/find-resource.ts';
import { hasReason } from '../../../client/status-error.ts';
import { CliError } from '../../cli-error.ts';
import type { Invocation } from '../../command.ts';
import type { decideFlags } from './flags.ts';
import { withClient } from '../../connect.ts';
import { objectName } from '../../printers/json.ts';

/** A request as far as a decision changes it. */
interface DecidedRequest extends ApiObject {
  status?: { conditions?: { type: string; [field: string]: unknown }[] };
}

/** A decision, and the words of its output. */
const decisions = Object.freeze({
  approve: { type: 'Approved', reason: 'ClApprove', word: 'approved' },
  deny: { type: 'Denied', reason: 'ClDeny', word: 'denied' },
});

/** Times that a decision is tried again when another client writes the request. */
const conflictLimit = 10;

/** `cl certificate approve`. */
export const approve = (invocation: Invocation<typeof decideFlags>): Promise<void> => decide('approve', invocation);
/** `cl certificate deny`. */
export const deny = (invocation: Invocation<typeof decideFlags>): Promise<void> => decide('deny', invocation);

async function decide(
  verb: keyof typeof decisions,
  { words: names, options, io }: Invocation<typeof decideFlags>,
): Promise<void> {
  const { type, reason, word } = decisions[verb];
  await withClient({ options, io }, async (client) => {
    const found = findResource(await resourcesOf({ client, options, io }), 'certificatesigningrequests');
    if (!found) throw new CliError('the server has no certificate signing requests');
    const resource = client.resource<DecidedRequest>({ ...found });
    const message = `This CSR was ${word} by cl certificate ${verb}.`;
    const condition = { type, status: 'True', reason, message };
    for (const name of names) {
      for (let attempt = 0; ; attempt++) {
        const request = await resource.get(name, { signal: io.signal });
        const { conditions = [] } = request.status ?? {};
        const isDecided = conditions.some((each) => each.type === type);
        if (isDecided && !options.force) break;
        const others = conditions.filter((each) => each.type !== type);
        const decided = { ...request, status: { ...request.status, conditions: [...others, condition] } };
        try {
          await resource.update(decided, { subresource: 'approval', signal: io.signal });
          break;
        } catch (error) {
          if (!hasReason(error, 'Conflict') || attempt === conflictLimit) throw error;
        }
      }
      io.stdout.write(`${objectName(found, name)} ${word}\n`);
    }
  });
}
