import assert from 'node:assert/strict';
import { schemaOf } from '../../../src/scheme/schema-of.ts';
import { joinErrors } from '../../../src/registry/join-errors.ts';
import { type FieldError, forbiddenPart, invalid, required } from '../../../src/status/field-error.ts';
import { cpuMsOf } from '../cpu-time.ts';

const fields = (errors: readonly FieldError[]) => errors.map(({ field, reason }) => `${field} ${reason.slice(10)}`);

describe('the errors of rules and schema', () => {
  it('of one field are those of the rules', () => {
    const own = [invalid('spec.type', 'x', 'a'), invalid('spec.type', 'x', 'b')];
    assert.deepEqual(joinErrors(own, [required('spec.type')]), own);
  });

  it('inside a part that is refused as a whole are left out', () => {
    const own = [forbiddenPart('spec.volumes[0].nfs', 'two sources')];
    const schema = [
      'spec.volumes[0].nfs.path',
      'spec.volumes[0].nfs',
      'spec.volumes[0].nfsServer',
      'spec.volumes[1].nfs',
    ];
    assert.deepEqual(
      fields(
        joinErrors(
          own,
          schema.map((field) => required(field)),
        ),
      ),
      ['spec.volumes[0].nfs Forbidden', 'spec.volumes[0].nfsServer Required', 'spec.volumes[1].nfs Required'],
    );
  });

  it('at and inside suppressed paths are left out, whatever the index', () => {
    const schema = [
      'rules[10].subjects[2].name',
      'rules[0].subjects',
      'rules[0].subjectsOf',
      'rules[0].verbs',
      'rules',
    ];
    assert.deepEqual(
      fields(
        joinErrors(
          [],
          schema.map((field) => required(field)),
          ['rules[].subjects'],
        ),
      ),
      ['rules[0].subjectsOf Required', 'rules[0].verbs Required', 'rules Required'],
    );
  });

  it('are in the order of the items of a list', () => {
    const own = ['spec.volumes[1].a', 'spec.volumes[3].b', 'spec.volumes[5].c', 'spec.dnsPolicy', 'rules[2].a'];
    const schema = ['spec.volumes[0].z', 'spec.volumes[3].z', 'spec.volumes[4].z', 'spec.volumes[7].z', 'rules[1].z'];
    const joined = joinErrors(
      own.map((field) => invalid(field, '', 'a')),
      schema.map((field) => required(field)),
    );
    assert.deepEqual(
      joined.map(({ field }) => field),
      [
        'spec.volumes[0].z',
        'spec.volumes[1].a',
        'spec.volumes[3].b',
        'spec.volumes[3].z',
        'spec.volumes[4].z',
        'spec.volumes[5].c',
        'spec.volumes[7].z',
        'spec.dnsPolicy',
        'rules[1].z',
        'rules[2].a',
      ],
    );
  });

  it('are in the order of the fields of an object, whatever errors follow', () => {
    const schema = schemaOf('api.core.v1.Pod');
    const own = [
      'spec.volumes[0].name',
      'spec.volumes[2].name',
      'spec.volumes[0].projected',
      'spec.containers[0].securityContext.seccompProfile',
      'spec.dnsConfig',
    ];
    const found = ['spec.volumes[1].name', 'spec.containers[0].securityContext.runAsUser', 'spec.restartPolicy'];
    const joined = joinErrors(
      own.map((field) => invalid(field, '', 'a')),
      found.map((field) => required(field)),
      [],
      schema,
    );
    assert.deepEqual(
      joined.map(({ field }) => field),
      [
        'spec.volumes[0].name',
        'spec.volumes[1].name',
        'spec.volumes[2].name',
        'spec.volumes[0].projected',
        'spec.containers[0].securityContext.runAsUser',
        'spec.containers[0].securityContext.seccompProfile',
        'spec.restartPolicy',
        'spec.dnsConfig',
      ],
    );
  });

  it('stand together where they are about the same part', () => {
    const own = [invalid('spec.ports[0].name', '', 'a'), invalid('spec.selector', '', 'b')];
    assert.deepEqual(fields(joinErrors(own, [required('spec.ports[0].port'), required('spec.type')])), [
      'spec.ports[0].name Invalid',
      'spec.ports[0].port Required',
      'spec.selector Invalid',
      'spec.type Required',
    ]);
  });

  it('are joined in time that does not grow with the length of a key', async () => {
    const key = '.'.repeat(2_000_000);
    const own = [forbiddenPart('spec.nfs', 'two sources')];
    const cpuMs = await cpuMsOf(() => {
      joinErrors(own, [required(`data[${key}]`), required(`data[${key}].x`)], ['spec.rules[].subjects']);
    });
    assert.ok(cpuMs < 5_000, `${cpuMs} ms`);
  });
});
