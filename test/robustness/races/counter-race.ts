import type { ApiResponse, ApiClient } from '../api-client.ts';
import type { Finding } from '../history.ts';
import { type Race, type RacedObject, raced, racePath, readNow, rest, type Runner, sendWrite } from './race.ts';

/** Writes a count so that it only counts on top of what was read. */
type Increment = (client: ApiClient, path: string, live: RacedObject, manager: string) => Promise<ApiResponse>;

const countOf = ({ metadata }: RacedObject): number => Number(metadata.annotations?.count);
const incremented = (live: RacedObject): { readonly count: string } => ({ count: String(countOf(live) + 1) });

/** A patch under the version that was read. */
function documentPatch(type: string, query: (manager: string) => string = () => ''): Increment {
  return (client, path, live, manager) => {
    const { name, resourceVersion } = live.metadata;
    const patch = raced(name, { resourceVersion, annotations: incremented(live) });
    return client.send('PATCH', path + query(manager), patch, type);
  };
}

const ways: Readonly<Record<string, Increment>> = {
  put: (client, path, live) => {
    const metadata = { ...live.metadata, annotations: incremented(live) };
    return client.send('PUT', path, { ...live, metadata });
  },
  'merge-patch': documentPatch('application/merge-patch+json'),
  'strategic-merge-patch': documentPatch('application/strategic-merge-patch+json'),
  'json-patch': (client, path, live) => {
    const place = '/metadata/annotations/count';
    const patch = [
      { op: 'test', path: place, value: String(countOf(live)) },
      { op: 'replace', path: place, value: String(countOf(live) + 1) },
    ];
    return client.send('PATCH', path, patch, 'application/json-patch+json');
  },
  apply: documentPatch('application/apply-patch+yaml', (manager) => `?fieldManager=${manager}&force=true`),
};

/** P2: no increment of a counter is lost, or counted twice, by any way of writing. */
export function counterRaces(): Race[] {
  return Object.entries(ways).map(([way, increment]) => counterRace(`count-by-${way}`, increment));
}

function counterRace(name: string, increment: Increment): Race {
  const path = `${racePath}/${name}`;
  const counts = { acknowledged: 0, refused: 0, unknown: 0 };
  const turn = async ({ client, id }: Runner): Promise<void> => {
    const live = await readNow(client, name);
    if (live === 'unread') return;
    if (live) {
      const { outcome } = await sendWrite(() => increment(client, path, live, `manager-${id}`));
      counts[outcome]++;
      return;
    }
    await sendWrite(() => client.send('POST', racePath, raced(name, { annotations: { count: '0' } })));
  };
  return {
    runners: 2,
    async run(runner) {
      for (; !runner.signal.aborted; await rest(runner)) await turn(runner);
    },
    async verify(client) {
      const live = await readNow(client, name);
      if (!live || live === 'unread') return [{ promise: 'P2', message: `${name} is not there in the end` }];
      const { acknowledged, unknown } = counts;
      if (acknowledged === 0) return [{ promise: 'void', message: `${name} was never incremented` }];
      const count = countOf(live);
      const right = count >= acknowledged && count <= acknowledged + unknown;
      const message = `${name} is ${count} after ${acknowledged} increments and ${unknown} of unknown outcome`;
      return [...(right ? [] : [{ promise: 'P2', message }]), ...ownersOf(name, live)];
    },
  };
}

/** P24: whoever applied by force last is the only one of those who apply that owns the count. */
function ownersOf(name: string, { metadata }: RacedObject): Finding[] {
  const owners = (metadata.managedFields ?? [])
    .filter(
      ({ operation, fieldsV1 }) => operation === 'Apply' && fieldsV1['f:metadata']?.['f:annotations']?.['f:count'],
    )
    .map(({ manager }) => manager);
  if (owners.length === (name.endsWith('apply') ? 1 : 0)) return [];
  return [{ promise: 'P24', message: `${name} is owned by ${owners.length} who apply: ${owners.join()}` }];
}
