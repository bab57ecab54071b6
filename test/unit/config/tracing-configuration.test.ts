import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { defaultServerOptions, type ServerOptions } from '../../../src/config/server-options.ts';
import { exporterUrl } from '../../../src/tracing/exporter-url.ts';
import { readTracingConfiguration } from '../../../src/config/tracing-configuration.ts';

describe('the file of --tracing-config-file', () => {
  let folder: string;
  before(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'tracing-'))));
  after(() => rm(folder, { recursive: true }));

  const read = async (text: string, options: Partial<ServerOptions> = {}) => {
    const tracingConfigFile = path.join(folder, 'tracing.yaml');
    await writeFile(tracingConfigFile, text);
    return readTracingConfiguration({
      ...defaultServerOptions,
      emulatedRelease: '1.36',
      ...options,
      tracingConfigFile,
    });
  };
  const head = (version: string) => `apiVersion: apiserver.config.cl.io/${version}\nkind: TracingConfiguration\n`;

  it('is read in the versions of the release', async () => {
    assert.deepEqual(await read(head('v1')), {});
    const text = `${head('v1alpha1')}endpoint: unix:///run/otlp.sock\nsamplingRatePerMillion: 5\n`;
    const expected = { endpoint: 'unix:///run/otlp.sock', samplingRatePerMillion: 5 };
    assert.deepEqual(await read(text), expected);
    const gate = { emulatedRelease: '1.26', featureGates: ['APIServerTracing=true'] } as const;
    assert.deepEqual(await read(text, gate), expected);
    await assert.rejects(
      read(head('v1beta1'), gate),
      /kind TracingConfiguration of apiserver\.config\.cl\.io\/v1alpha1 was expected/,
    );
  });

  it('has a valid address', () => {
    assert.equal(exporterUrl('dns://8.8.8.8/collector:4317'), 'http://collector:4317');
    assert.throws(() => exporterUrl('not a host'), /a trace collector cannot have the address "not a host"/);
  });

  it('is spelled by the identifiers of the server', async () => {
    const text = head('v1').replace('cl.io', 'k8s.io');
    assert.deepEqual(await read(text, { identifiers: 'kubernetes' }), {});
    await assert.rejects(read(text), /was expected/);
  });

  it('is refused while the feature gate is off', async () => {
    await assert.rejects(
      read(head('v1alpha1'), { emulatedRelease: '1.23' }),
      new Error('APIServerTracing feature is not enabled, but tracing config file was provided'),
    );
  });

  for (const [field, words] of [
    ['samplingRatePerMillion: -1', 'samplingRatePerMillion: Invalid value: -1: sampling rate must be positive'],
    [
      'samplingRatePerMillion: 1000001',
      'samplingRatePerMillion: Invalid value: 1000001: sampling rate per million must be less than or equal to one million',
    ],
    [
      'endpoint: http://localhost:4317',
      'endpoint: Invalid value: "http://localhost:4317": unsupported scheme: http.  Options are none, dns, unix, or unix-abstract.  See https://github.com/grpc/grpc/blob/master/doc/naming.md',
    ],
  ] as const) {
    it(`is refused with ${field}`, async () => {
      await assert.rejects(
        read(`${head('v1')}${field}\n`),
        new Error(`failed to validate tracing configuration: ${words}`),
      );
    });
  }

  it('is refused with a field that is not known', async () => {
    await assert.rejects(read(`${head('v1')}tls: {}\n`), /strict decoding error: unknown field "tls"/);
  });
});
