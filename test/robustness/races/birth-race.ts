import type { ApiClient } from '../api-client.ts';
import type { Finding } from '../history.ts';
import { type Race, raced, racePath, readNow, rest, type Runner, sendWrite, type Written } from './race.ts';

/** How many create one name at once. */
const creators = 4;

/** P3: of those who create one name, one is told that he did, and the object is his. */
export function creationRace(): Race {
  return roundsOf(async ({ client, id }, round) => {
    const name = `created-${id}-${round}`;
    const create = (): Promise<Written> => sendWrite(() => client.send('POST', racePath, raced(name)));
    const writes = await Promise.all(Array.from({ length: creators }, create));
    const uids = writes.flatMap(({ object }) => object?.metadata.uid ?? []);
    if (uids.length > 1) return [{ promise: 'P3', message: `${name} was created ${uids.length} times` }];
    const live = await readNow(client, name);
    if (live === 'unread' || uids.length === 0 || live?.metadata.uid === uids[0]) return [];
    return [{ promise: 'P3', message: `${name} is ${live?.metadata.uid}, and ${uids[0]} was created` }];
  });
}

/** P4: who deletes what has a uid never deletes its successor. */
export function successionRace(): Race {
  return roundsOf(async ({ client, id }, round) => {
    const name = `succeeded-${id}-${round}`;
    const path = `${racePath}/${name}`;
    const first = await sendWrite(() => client.send('POST', racePath, raced(name)));
    const uid = first.object?.metadata.uid;
    if (uid === undefined) return [];
    const named = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid } };
    const succeed = async (): Promise<Written | undefined> => {
      const { outcome } = await sendWrite(() => client.send('DELETE', path));
      // One that nobody knows of may take place after the successor has come.
      return outcome === 'unknown' ? undefined : sendWrite(() => client.send('POST', racePath, raced(name)));
    };
    const [successor] = await Promise.all([
      succeed(),
      ...Array.from({ length: creators }, () => sendWrite(() => client.send('DELETE', path, named))),
    ]);
    const expected = successor?.object?.metadata.uid;
    const live = await readNow(client, name);
    if (expected === undefined || live === 'unread' || live?.metadata.uid === expected) return [];
    return [{ promise: 'P4', message: `${name} is ${live?.metadata.uid ?? 'gone'}, its successor was ${expected}` }];
  });
}

/** P4: what has a finalizer stays, however often it is deleted, until the finalizer is taken off, and then goes. */
export function finalizerRace(): Race {
  return roundsOf(async ({ client, id }, round) => {
    const name = `finalized-${id}-${round}`;
    const path = `${racePath}/${name}`;
    const created = await sendWrite(() =>
      client.send('POST', racePath, raced(name, { finalizers: ['example.com/stay'] })),
    );
    if (created.outcome !== 'acknowledged') return [];
    const deletions = await Promise.all([1, 2].map(() => sendWrite(() => client.send('DELETE', path))));
    if (!deletions.some(({ outcome }) => outcome === 'acknowledged')) return [];
    const live = await readNow(client, name);
    if (live !== 'unread' && live?.metadata.deletionTimestamp === undefined) {
      return [{ promise: 'P4', message: `${name} was deleted and is ${live ? 'not marked so' : 'gone at once'}` }];
    }
    const patch = { metadata: { finalizers: null } };
    const letGo = await sendWrite(() => client.send('PATCH', path, patch, 'application/merge-patch+json'));
    return letGo.outcome === 'acknowledged' ? isGone(client, name) : [];
  });
}

async function isGone(client: ApiClient, name: string): Promise<Finding[]> {
  const live = await readNow(client, name);
  return live === undefined || live === 'unread'
    ? []
    : [{ promise: 'P4', message: `${name} is still there without its finalizer` }];
}

/** A race of rounds that are verified at once. */
function roundsOf(round: (runner: Runner, round: number) => Promise<readonly Finding[]>): Race {
  const findings: Finding[] = [];
  return {
    runners: 1,
    async run(runner) {
      for (let i = 0; !runner.signal.aborted; i++) {
        findings.push(...(await round(runner, i)));
        await rest(runner);
      }
    },
    verify: () => Promise.resolve(findings),
  };
}
