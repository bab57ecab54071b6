import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { FlagRule, SectionedFlags } from '../../../src/flags/flag-table.ts';
import { boolean, checked, choice, duration, integer, list, repeated, text } from '../../../src/flags/flag-types.ts';
import { formatHelp } from '../../../src/flags/format-help.ts';
import { removedFlagRules } from '../../../src/flags/removed-flags.ts';
import { parseArguments } from '../../../src/flags/parse-arguments.ts';

const row = { section: 'Any', help: 'what it is for' };
const table = {
  name: {
    ...row,
    type: checked(text('word'), (value) => (value === 'bad' ? 'use another' : undefined)),
    default: undefined,
  },
  level: { ...row, type: choice('level', ['low', 'high']), default: 'low' },
  count: { ...row, type: integer('number', 1, 9), default: 3 },
  time: { ...row, type: duration(), default: 90_000, section: 'Times' },
  names: { ...row, type: list('words'), default: [] },
  files: { ...row, type: repeated(text('file')), default: [] },
  open: { ...row, type: boolean, default: undefined },
  old: { ...row, type: text('word'), default: undefined, deprecated: 'use --name' },
} as const satisfies SectionedFlags;

const rules: readonly FlagRule<typeof table>[] = [
  ({ given }) => (given('name') && given('old') ? '--name and --old contradict each other' : undefined),
  ({ values }) => (values.count === 9 ? 'nine are too many' : undefined),
];
const parse = (...args: string[]) => parseArguments(table, rules, args);
const errorsOf = (...args: string[]): readonly string[] => parse(...args).errors;

describe('arguments', () => {
  it('give each flag a value of its type, or its default', () => {
    assert.deepEqual(parse('--name=a', '--count', '7', '--names=a, b,,', '--time=1m30s', '--open').values, {
      name: 'a',
      level: 'low',
      count: 7,
      time: 90_000,
      names: ['a', 'b'],
      files: [],
      open: true,
      old: undefined,
    });
    assert.deepEqual(parse('--names=a,b', '--names=c').values.names, ['a', 'b', 'c']);
    assert.deepEqual(parse('--files=a,b', '--files=c').values.files, ['a,b', 'c']);
    assert.equal(parse('--open=false').values.open, false);
    assert.equal(parse('--name=--x=1').values.name, '--x=1');
    assert.equal(parse('--name=').values.name, '');
  });

  it('may have underscores in names, and a letter as a name with one dash, as components of Kubernetes have', () => {
    const flags = { 'log-file': { ...row, type: text('file') }, v: { ...row, type: integer('level') } };
    for (const args of [
      ['--log_file=a_b', '-v=3'],
      ['--log-file', 'a_b', '-v', '3'],
      ['--log_file', 'a_b', '-v3'],
    ]) {
      const { values, errors } = parseArguments(flags, [], args);
      assert.deepEqual([errors, values], [[], { 'log-file': 'a_b', v: 3 }]);
    }
  });

  it('are quoted in errors without the passwords in URLs', () => {
    const refuse = checked(text('url'), (url) => `${url} is not known`);
    const { errors } = parseArguments({ url: { ...row, type: refuse } }, [], ['--url=http://root:hunt/er@2@db:1']);
    assert.deepEqual(errors, ['--url: "http://<masked>@db:1" is not valid: http://<masked>@db:1 is not known']);
  });

  const refused: Readonly<Record<string, { readonly args: readonly string[]; readonly errors: readonly string[] }>> = {
    'an unknown flag, with the nearest known one': {
      args: ['--levle=high'],
      errors: ['unknown flag --levle; did you mean --level?'],
    },
    'an unknown flag that is near none': { args: ['--zzzzzz'], errors: ['unknown flag --zzzzzz'] },
    'a flag by the name of a property of every object': {
      args: ['--constructor=1'],
      errors: ['unknown flag --constructor'],
    },
    'a flag that stands twice': { args: ['--name=a', '--name=a'], errors: ['--name is given more than once'] },
    'a flag without its value': { args: ['--name'], errors: ['--name needs a value'] },
    'a word that is none of the choice': {
      args: ['--level=middle'],
      errors: ['--level: "middle" is not valid: use low or high'],
    },
    'a number out of its range': {
      args: ['--count=10'],
      errors: ['--count: "10" is not valid: use a number, 1 to 9'],
    },
    'a number in words': { args: ['--count=0x3'], errors: ['--count: "0x3" is not valid: use a number, 1 to 9'] },
    'a time without a unit': {
      args: ['--time=30'],
      errors: ['--time: "30" is not valid: use a duration like 30s or 5m'],
    },
    'what is neither true nor false': {
      args: ['--open=maybe'],
      errors: ['--open: "maybe" is not valid: use true or false'],
    },
    'a text that its own check refuses': {
      args: ['--name=bad'],
      errors: ['--name: "bad" is not valid: use another'],
    },
    'words that are no flags': { args: ['start', '-x'], errors: ['"start" is not a flag', 'unknown flag -x'] },
    'flags that contradict each other, and each other rule': {
      args: ['--name=a', '--old=b', '--count=9'],
      errors: ['--name and --old contradict each other', 'nine are too many'],
    },
    'everything that is wrong at once': {
      args: ['--count=0', '--level=x', '--nmae=a', '--open', '--open'],
      errors: [
        'unknown flag --nmae; did you mean --name?',
        '--open is given more than once',
        '--level: "x" is not valid: use low or high',
        '--count: "0" is not valid: use a number, 1 to 9',
      ],
    },
  };
  for (const [what, { args, errors }] of Object.entries(refused)) {
    it(`refuse ${what}`, () => assert.deepEqual(errorsOf(...args), errors));
  }

  it('ask for a flag that is required', () => {
    const required = { file: { ...row, type: text('file'), default: undefined, required: true } } as const;
    assert.deepEqual(parseArguments(required, [], []).errors, ['--file is required']);
    assert.equal(parseArguments(required, [], ['--file=x']).values.file.length, 1);
  });

  it('warn of a flag that will go', () => {
    assert.deepEqual(parse('--old=a').warnings, ['Flag --old has been deprecated, use --name']);
    assert.deepEqual(parse('--name=a').warnings, []);
  });

  it('can have aliases, no effect, or be refused', () => {
    const rows = {
      file: { ...row, type: text('file'), aliases: ['path'] },
      size: { ...row, type: integer('number'), noEffect: 'nothing has a size' },
      cloud: { ...row, type: text('name'), refused: 'there are no clouds' },
    } as const satisfies SectionedFlags;
    const aliased = parseArguments(rows, [], ['--path=a', '--size=3']);
    assert.deepEqual(aliased.errors, []);
    assert.equal(aliased.values.file, 'a');
    assert.deepEqual(aliased.warnings, ['--size has no effect: nothing has a size']);
    assert.deepEqual(parseArguments(rows, [], ['--path', 'a', '--file=b']).errors, ['--file is given more than once']);
    assert.deepEqual(parseArguments(rows, [], ['--cloud=x', '--size=y']).errors, [
      '--size: "y" is not valid: use a number, 0 or more',
      '--cloud is not supported: there are no clouds',
    ]);
  });

  it('are refused since the release that removed them', () => {
    const rows = { port: { ...row, type: integer('port'), removed: '1.24' } } as const satisfies SectionedFlags;
    const errorsAt = (release: string) =>
      parseArguments(
        rows,
        removedFlagRules(rows, (removed) => release >= removed),
        ['--port=0'],
      ).errors;
    assert.deepEqual(errorsAt('1.23'), []);
    assert.deepEqual(errorsAt('1.24'), ['--port was removed in release 1.24']);
  });

  it('are never more than an error, whatever they are', () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom('--', '--=', '-', '--name', '--open=', '--no-open', '--__proto__'),
    );
    fc.assert(fc.property(fc.array(word), (args) => Array.isArray(errorsOf(...args))));
  });
});

describe('the types of flags', () => {
  it('read what they write', () => {
    const times = fc.integer({ min: 0, max: 1e12 });
    fc.assert(fc.property(times, (value) => duration().parse(duration().format(value)) === value));
    fc.assert(fc.property(times, (value) => integer('number').parse(integer('number').format(value)) === value));
  });
});

describe('--help', () => {
  it('shows each flag in its section, with its placeholder and its default', () => {
    const help = formatHelp({ name: 'program', description: 'Does it.', flags: table });
    assert.match(help, /^Does it\.\n\nUsage: program \[flags\]\n\nAny flags:\n  --name <word>\n      what it is for\n/);
    assert.match(help, /  --count <number>\n      what it is for \(default 3\)\n/);
    assert.match(help, /  --names <words>\n      what it is for \(default none\)\n/);
    assert.match(help, /  --open\[=false\]\n/);
    assert.match(
      help,
      /  --old <word>\n      what it is for \(DEPRECATED: use --name\)\n\nTimes flags:\n  --time <duration>\n/,
    );
    assert.match(help, /default 1m30s/);
  });

  it('have short forms, bare flags, words and a last value for commands', () => {
    const short = {
      namespace: { ...row, type: text('name'), short: 'n' },
      watch: { ...row, type: boolean, short: 'w', default: true },
      tty: { ...row, type: boolean, short: 't', default: false },
      mode: { ...row, type: text('mode'), bare: 'usual' },
    } as const satisfies SectionedFlags;
    const read = (...args: string[]) => {
      const { values, words, wordsBeforeDashes, errors } = parseArguments(short, [], args, { words: true });
      return [values, words, wordsBeforeDashes, errors];
    };
    const unset = { namespace: undefined, watch: true, tty: false, mode: undefined };
    for (const args of [['-n', 'a'], ['-na'], ['-n=a'], ['--namespace=a'], ['-n', 'b', '--namespace', 'a']]) {
      assert.deepEqual(read(...args), [{ ...unset, namespace: 'a' }, [], undefined, []], args.join(' '));
    }
    assert.deepEqual(read('x', '-w=false', '--mode', 'y', '-tn', 'a', '--', '-n=b'), [
      { namespace: 'a', watch: false, tty: true, mode: 'usual' },
      ['x', 'y', '-n=b'],
      2,
      [],
    ]);
    assert.deepEqual(read('--mode=other', '-x').slice(3), [['unknown flag -x']]);
  });
});
