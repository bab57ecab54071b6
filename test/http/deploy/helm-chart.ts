import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { yamlLibrary } from '../../../src/codec/yaml-library.ts';

const run = promisify(execFile);

/** The folder of the chart. */
export const chart = 'deploy/helm/cl-apiserver';

/** Values of a chart, by their paths (`etcd.image`). */
export type ChartValues = Readonly<Record<string, string | number | boolean>>;

/** A command of Helm, with values; without the settings of the user who runs the tests. */
export async function helm(args: readonly string[], values: ChartValues = {}): Promise<string> {
  const program = (await run('hack/helm.sh')).stdout.trim();
  const settings = Object.entries(values).map(([path, value]) => `--set-json=${path}=${JSON.stringify(value)}`);
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent' };
  return (await run(program, [...args, ...settings], { env, maxBuffer: 16 * 1024 * 1024 })).stdout;
}

/** A container with the files that are mounted into it. */
interface Container {
  readonly command?: readonly string[];
  readonly args: readonly string[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}

/** A volume with files of a Secret. */
interface Volume {
  readonly name: string;
  readonly secret?: { readonly secretName: string; readonly items: readonly { readonly key: string }[] };
}

/** The parts of the chart's objects that tests read. */
export interface RenderedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  /** Of a Deployment or StatefulSet. */
  readonly spec: {
    readonly replicas: number;
    readonly template: {
      readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
      readonly spec: {
        readonly containers: readonly [Container];
        readonly volumes: readonly Volume[];
        readonly priorityClassName?: string;
      };
    };
  };
  /** Of a Secret. */
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: Readonly<Record<string, string>>;
}

/** The objects of the chart as a release, in the namespace `work`. */
export async function renderChart(values: ChartValues, release = 'plane'): Promise<readonly RenderedObject[]> {
  const text = await helm(['template', release, chart, '--namespace=work'], values);
  return yamlLibrary()
    .parseAllDocuments(text)
    .map((document) => {
      if (document.errors[0]) throw document.errors[0];
      return document.toJS() as RenderedObject;
    });
}
