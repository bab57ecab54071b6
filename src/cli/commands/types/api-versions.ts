import { formatApiVersion } from '../../../meta/group-version-kind.ts';
import type { Invocation } from '../../command.ts';
import { withClient } from '../../connect.ts';
import { resourcesOf } from '../../find-type.ts';
import { visibleText } from '../../format-rows.ts';
import type { apiVersionsFlags } from './flags.ts';

/** `cl api-versions`: the versions of all groups, as in apiVersion. */
export async function apiVersions({ options, io }: Invocation<typeof apiVersionsFlags>): Promise<void> {
  await withClient({ options, io }, async (client) => {
    const resources = await resourcesOf({ client, options, io });
    const versions = new Set(resources.map(({ group, version }) => formatApiVersion(group, version)));
    io.stdout.write(
      [...versions]
        .toSorted()
        .map((version) => `${visibleText(version)}\n`)
        .join(''),
    );
  });
}
