import type { Invocation } from '../../command.ts';
import type { whoamiFlags } from './flags.ts';
import { discover } from '../../../client/discovery.ts';
import { objectAt, stringAt, stringsAt } from '../../../meta/read-field.ts';
import { withClient } from '../../connect.ts';
import { objectPrinter } from '../../printers/print-object.ts';
import { columnWidths, formatRows } from '../../format-rows.ts';
import { postReview } from './post-review.ts';

/** `cl auth whoami`: prints the user that the server takes the client for. */
export async function whoami({ options, io }: Invocation<typeof whoamiFlags>): Promise<void> {
  await withClient({ options, io }, async (client) => {
    const resources = await discover(client, io.signal);
    const review = await postReview({ client, resources, resource: 'selfsubjectreviews', spec: {}, signal: io.signal });
    if (options.output !== undefined || options.template !== undefined) {
      io.stdout.write((await objectPrinter(options, io))(review));
      return;
    }
    const user = objectAt(objectAt(review, 'status'), 'userInfo');
    const extra = objectAt(user, 'extra');
    const rows = [
      ['ATTRIBUTE', 'VALUE'],
      ['Username', stringAt(user, 'username')],
      ['UID', stringAt(user, 'uid')],
      ['Groups', `[${stringsAt(user, 'groups').join(' ')}]`],
      ...Object.keys(extra).map((key) => [`Extra: ${key}`, `[${stringsAt(extra, key).join(' ')}]`]),
    ].filter(([, value]) => value !== '');
    io.stdout.write(formatRows(rows, columnWidths(rows)));
  });
}
