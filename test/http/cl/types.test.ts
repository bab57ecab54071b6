import assert from 'node:assert/strict';
import { type ClServer, startClServer } from './cl-runner.ts';

const definition = `apiVersion: apiextensions.cl.io/v1
kind: CustomResourceDefinition
metadata: {name: cars.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: cars, kind: Car, shortNames: [c]}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        description: A car.
        type: object
        properties:
          spec:
            type: object
            required: [wheels]
            properties:
              wheels: {type: integer, description: How many it has.}
              colour: {type: string, enum: [red, green]}
              doors: {type: array, items: {type: object, properties: {side: {type: string}}}}
`;

describe('the types of a server', () => {
  let cl: ClServer;
  before(async () => {
    cl = await startClServer();
    assert.equal((await cl.pipe(definition, 'create', '-f', '-')).code, 0);
    const args = ['crd/cars.example.com', '--for=condition=Established'];
    assert.equal((await cl.run('wait', ...args)).code, 0);
  });
  after(() => cl[Symbol.asyncDispose]());

  const shown = async (line: string, ...more: readonly string[]): Promise<string> => {
    const { code, out, err } = await cl.run(line, ...more);
    assert.deepEqual([code, err], [0, '']);
    return out;
  };

  it('lists types with their names, in their preferred version', async () => {
    const wide = await shown('api-resources', '--api-group=example.com', '-o', 'wide');
    assert.match(
      wide,
      /^NAME +SHORTNAMES +APIVERSION +NAMESPACED +KIND +VERBS +CATEGORIES\ncars +c +example.com\/v1 +true +Car +create,delete,/,
    );
    const names = (await shown('api-resources', '-o', 'name', '--namespaced=false', '--verbs=list,watch')).split('\n');
    assert.ok(
      names.includes('nodes') && names.includes('clusterroles.rbac.authorization.cl.io') && !names.includes('pods'),
    );
    assert.match(
      await shown('api-resources', '--categories=all', '--sort-by=kind', '--no-headers'),
      /^cronjobs +cj +batch\/v1 +true +CronJob\n/,
    );
    assert.match(
      await shown('api-resources', '-o', 'yaml'),
      /^apiVersion: v1\ngroupVersion: ""\nkind: APIResourceList\nresources:\n- kind: Binding\n/,
    );
    assert.match(await shown('api-versions'), /^apps\/v1$[^]*^example.com\/v1$[^]*^v1\n$/m);
  });

  it('explains built-in and custom types, fields and all below them', async () => {
    const head = 'GROUP:      example.com\nKIND:       Car\nVERSION:    v1\n\n';
    assert.equal(
      await shown('explain', 'cars.spec'),
      `${head}FIELD: spec <Object>\n\n\nDESCRIPTION:\n    <empty>\nFIELDS:\n  colour\t<string>\n  enum: red, green\n    <no description>\n\n  doors\t<[]Object>\n    <no description>\n\n  wheels\t<integer> -required-\n    How many it has.\n\n\n`,
    );
    assert.match(
      await shown('explain', 'c', '--recursive'),
      /\n {2}spec\t<Object>\n {4}colour\t<string>\n {4}enum: red, green\n {4}doors\t<\[\]Object>\n {6}side\t<string>\n/,
    );
    assert.match(
      await shown('explain', 'cars.spec.colour'),
      /FIELD: colour <string>\nENUM:\n {4}red\n {4}green\n\nDESCRIPTION:\n {4}<empty>\n\n$/,
    );
    assert.match(
      await shown('explain', 'deploy.spec.template.spec.containers', '-o', 'plaintext-openapiv2'),
      /^KIND: +Deployment\nVERSION: +apps\/v1\n\nRESOURCE: containers <\[\]Object>\n\nDESCRIPTION:\n( {5}\S.*\n)+\n( {5}\S.*\n)+\nFIELDS:\n/,
    );
    assert.match(
      await shown('explain', 'hpa', '--api-version=autoscaling/v1'),
      /^GROUP: +autoscaling\nKIND: +HorizontalPodAutoscaler\nVERSION: +v1\n/,
    );
    assert.match(
      await shown('explain', 'pods.spec.volumes.configMap'),
      /DESCRIPTION:\n {4}Values of a config map as files\.[^]*\n {2}defaultMode\t<integer>\n[^<]* Default: 420\b[^]*\n {2}name\t<string>\n {4}Name of the object\./,
    );
    const wrong = await cl.run('explain', 'cars.spec.wings');
    assert.deepEqual([wrong.code, wrong.out], [1, head]);
    assert.equal(wrong.err, 'error: field "spec.wings" does not exist (there are colour, doors, wheels)\n');
  });
});
