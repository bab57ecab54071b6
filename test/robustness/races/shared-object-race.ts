import type { Finding } from '../history.ts';
import { type Outcome, type Race, raced, racePath, readNow, rest, type Runner, sendWrite } from './race.ts';

const name = 'shared';
const path = `${racePath}/${name}`;

/** P2: patches that demand nothing are merged with what others wrote meanwhile; whose key was acknowledged is there. */
export function sharedObjectRace(): Race {
  const keys = new Map<string, Outcome>();
  return {
    runners: 2,
    async run(runner) {
      const { client, id } = runner;
      await sendWrite(() => client.send('POST', racePath, raced(name)));
      for (let turn = 0; !runner.signal.aborted; turn++) {
        const key = `k${id}-${turn}`;
        const patch = { metadata: { annotations: { [key]: 'yes' } } };
        const { outcome } = await sendWrite(() => client.send('PATCH', path, patch, 'application/merge-patch+json'));
        keys.set(key, outcome);
        await rest(runner);
      }
    },
    async verify(client) {
      const live = await readNow(client, name);
      if (live === 'unread') return [{ promise: 'P2', message: `${name} cannot be read in the end` }];
      const there = new Set(Object.keys(live?.metadata.annotations ?? {}));
      const wrong = [...keys].filter(
        ([key, outcome]) => outcome !== 'unknown' && there.has(key) !== (outcome === 'acknowledged'),
      );
      return wrong.map(([key, outcome]) => ({
        promise: 'P2',
        message: `${key} of ${name} was ${outcome}, and is not so`,
      }));
    },
  };
}

const appliedName = 'applied';

/** P24: managers who apply their own keys never meet, keep them, and write nothing when they say the same again. */
export function ownKeysRace(): Race {
  const turns = new Map<string, { acknowledged: number; tried: number }>();
  const findings: Finding[] = [];
  return {
    runners: 2,
    async run(runner) {
      const manager = `owner-${runner.id}`;
      const own = { acknowledged: 0, tried: 0 };
      turns.set(manager, own);
      for (; !runner.signal.aborted; await rest(runner)) {
        const value = String(++own.tried);
        const { outcome } = await applyAs(runner, appliedName, manager, value);
        if (outcome === 'acknowledged') own.acknowledged = own.tried;
        if (outcome === 'refused') findings.push({ promise: 'P24', message: `${manager} was refused its own key` });
        findings.push(...(await appliesTwice(runner, manager, value)));
      }
    },
    async verify(client) {
      const live = await readNow(client, appliedName);
      const annotations = live === 'unread' ? {} : (live?.metadata.annotations ?? {});
      for (const [manager, { acknowledged, tried }] of turns) {
        const value = Number(annotations[manager] ?? 0);
        if (value >= acknowledged && value <= tried) continue;
        findings.push({ promise: 'P24', message: `${manager} has ${value} instead of ${acknowledged} to ${tried}` });
      }
      return findings;
    },
  };
}

function applyAs({ client }: Runner, object: string, manager: string, value: string) {
  const configuration = raced(object, { annotations: { [manager]: value } });
  const applied = `${racePath}/${object}?fieldManager=${manager}`;
  return sendWrite(() => client.send('PATCH', applied, configuration, 'application/apply-patch+yaml'));
}

/** Nobody else writes this object: where both were acknowledged, the second has changed nothing. */
async function appliesTwice(runner: Runner, manager: string, value: string): Promise<Finding[]> {
  const object = `only-of-${manager}`;
  const first = await applyAs(runner, object, manager, value);
  const second = await applyAs(runner, object, manager, value);
  const versions = [first, second].map((one) => one.object?.metadata.resourceVersion);
  if (versions.includes(undefined) || versions[0] === versions[1]) return [];
  return [{ promise: 'P24', message: `${manager} said the same twice and made ${versions.join(' and ')}` }];
}
