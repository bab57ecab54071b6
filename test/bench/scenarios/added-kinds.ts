import { configMap, configMapsPath } from '../collection.ts';
import { type Subject, withClients } from '../lab.ts';
import { compare, pressHttp, type Scenario } from './scenario.ts';

const kinds = 1_000;

/** How much dearer a GET may become. What two processes of the same program differ by is in it. */
const bar = 1.1;

const path = `${configMapsPath('default')}/object`;

/** GET of one object from a server to which a thousand kinds were added, beside one with the built-in kinds alone. */
export const addedKinds: Scenario = {
  name: 'get-beside-added-kinds',
  async run({ lab, report }) {
    const subjects = { ours: await lab.startKinds(kinds), bare: await lab.startKinds(0) };
    for (const subject of Object.values(subjects)) await createObject(subject);
    const load = { clients: 8, seconds: lab.settings.seconds };
    const get = (subject: Subject) => pressHttp(subject, load, () => ({ path: `${path}?resourceVersion=0` }));
    const figures = await compare(lab.settings.rounds, 'cpuMicros', {
      ours: get(subjects.ours),
      bare: get(subjects.bare),
    });
    report({ scenario: 'get-beside-added-kinds, 8 clients', figures, compared: 'cpuMicros', bar });
    for (const subject of Object.values(subjects)) await lab.stopSubject(subject);
  },
};

async function createObject(subject: Subject): Promise<void> {
  await withClients(subject, 1, async ([client]) => {
    await client?.send({ method: 'POST', path: configMapsPath('default'), body: configMap('object') });
  });
}
