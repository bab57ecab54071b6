import type { Invocation } from '../../../command.ts';
import { ignoreReasons } from '../../../../client/error-of-response.ts';
import type { JsonObject } from '../../../../meta/json-value.ts';
import { annotationsOf, labelsOf, nameOf, uidOf } from '../../../../meta/object-meta.ts';
import { objectAt } from '../../../../meta/read-field.ts';
import { CliError } from '../../../cli-error.ts';
import { findType } from '../../../find-type.ts';
import type { cronJobFlags, deploymentFlags, jobFlags } from './flags.ts';
import { type Generated, type Generation, generateObject } from './generate-object.ts';

/** `cl create deployment NAME --image=IMAGE`. */
export function createDeployment(invocation: Invocation<typeof deploymentFlags>): Promise<void> {
  const { options } = invocation;
  return generateObject(invocation, ({ name, command }) => {
    if (options.image.length > 1 && command.length > 0) {
      throw new CliError('cannot specify multiple --image options and command');
    }
    const ports: JsonObject = options.port === undefined ? {} : { ports: [{ containerPort: options.port }] };
    const line: JsonObject = command.length > 0 ? { command: [...command] } : {};
    const containers = options.image.map((image) => ({
      image,
      name: imageName(image),
      resources: {},
      ...ports,
      ...line,
    }));
    const labels = { app: name };
    return {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { labels, name },
      spec: {
        replicas: options.replicas,
        selector: { matchLabels: labels },
        strategy: {},
        template: { metadata: { labels }, spec: { containers } },
      },
      status: {},
    };
  });
}

/** The name of a container for an image: its last part, without tag and digest. */
function imageName(image: string): string {
  const last = image.split('/').at(-1) ?? '';
  const name = last.split(/[:@]/)[0] ?? '';
  return name.replaceAll(/[^-a-z0-9]/g, '');
}

/** `cl create job NAME --image=IMAGE` or `--from=cronjob/NAME`. */
export function createJob(invocation: Invocation<typeof jobFlags>): Promise<void> {
  const { options } = invocation;
  return generateObject(invocation, async (generation) => {
    const { name, command } = generation;
    const { image, from } = options;
    if ((image === undefined) === (from === undefined))
      throw new CliError('either --image or --from must be specified');
    if (from !== undefined && command.length > 0) throw new CliError('cannot specify --from and command');
    if (from !== undefined) return jobFrom(from, generation);
    const spec = { template: jobTemplate(name, image ?? '', command, 'Never') };
    return { apiVersion: 'batch/v1', kind: 'Job', metadata: { name }, spec, status: {} };
  });
}

function jobTemplate(name: string, image: string, command: readonly string[], restartPolicy: string): JsonObject {
  const line: JsonObject = command.length > 0 ? { command: [...command] } : {};
  return { metadata: {}, spec: { containers: [{ image, name, resources: {}, ...line }], restartPolicy } };
}

/** Servers add a time to the metadata of templates, which says nothing there. */
function withoutNullTime(spec: JsonObject): JsonObject {
  const template = objectAt(spec, 'template');
  const { creationTimestamp, ...metadata } = objectAt(template, 'metadata');
  return creationTimestamp === null ? { ...spec, template: { ...template, metadata } } : spec;
}

async function jobFrom(from: string, { name, session, identifiers }: Generation): Promise<Generated> {
  const [type = '', source = ''] = from.split('/');
  const resource = await findType(session, type);
  if (resource.kind !== 'CronJob' || !source)
    throw new CliError('from must be an existing cronjob', { hint: '--from=cronjob/NAME' });
  const found = await ignoreReasons(
    session.client.resource(resource).get(source, { signal: session.io.signal }),
    'NotFound',
  );
  if (!found) throw new CliError(`cronjobs.batch "${source}" not found`);
  // The codec of the client returns JSON values.
  const cronJob = found as JsonObject;
  const template = objectAt(cronJob, 'spec', 'jobTemplate');
  const annotations = { ...annotationsOf(template), [`cronjob.${identifiers.labelDomain}/instantiate`]: 'manual' };
  const labels = labelsOf(template);
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      annotations,
      ...(Object.keys(labels).length > 0 ? { labels: { ...labels } } : {}),
      name,
      ownerReferences: [
        { apiVersion: 'batch/v1', controller: true, kind: 'CronJob', name: nameOf(cronJob), uid: uidOf(cronJob) },
      ],
    },
    spec: withoutNullTime(objectAt(template, 'spec')),
    status: {},
  };
}

/** `cl create cronjob NAME --image=IMAGE --schedule=SCHEDULE`. */
export function createCronJob(invocation: Invocation<typeof cronJobFlags>): Promise<void> {
  const { image, schedule, restart } = invocation.options;
  return generateObject(invocation, ({ name, command }) => {
    const jobSpec = { template: jobTemplate(name, image, command, restart) };
    const spec = { jobTemplate: { metadata: { name }, spec: jobSpec }, schedule };
    return { apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name }, spec, status: {} };
  });
}
