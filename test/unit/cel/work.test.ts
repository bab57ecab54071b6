import assert from 'node:assert/strict';
import { compileProgram } from '../../../src/cel/program.ts';
import { fullEnvironment } from '../../../src/cel/functions/environment.ts';
import { types } from '../../../src/cel/types/cel-type.ts';
import { Failure } from '../../../src/cel/values/cel-value.ts';
import { fromJson } from '../../../src/cel/values/from-json.ts';
import { CostExceeded, meterFor } from '../../../src/cel/values/work-meter.ts';
import type { JsonValue } from '../../../src/meta/json-value.ts';
import { threadCpuMs } from '../../thread-cpu.ts';

/** The limit of one evaluation of a rule. */
const costLimit = 1_000_000;
/** More than an evaluation takes on a slow machine, less than the largest of these without limits. */
const longestMs = 1_000;
const mostMemory = 128 * 1024 * 1024;

const numbers = Array.from({ length: 300 }, (_, index) => index);
const megabyte = 'a'.repeat(1_000_000);
const doubled = (list: string): string => '.map(a, LIST)'.replace('LIST', list);

type Outcome = 'exceeded' | 'value';
const rows: readonly (readonly [title: string, expression: string, self: JsonValue, outcome: Outcome])[] = [
  [
    'format() of texts that it made',
    `self${doubled('"%s%s%s%s%s%s%s%s".format([a,a,a,a,a,a,a,a])').repeat(12)} == self`,
    ['text of 30 characters, or about'],
    'exceeded',
  ],
  ['format() of a list in itself', `"%s".format(self${doubled('[a, a]').repeat(30)}) == ""`, [1], 'exceeded'],
  ['join() of texts that it made', `self${doubled('[a, a, a, a].join()').repeat(20)} == self`, ['a'], 'exceeded'],
  ['replace() of an empty text', 'self.replace("", self) == ""', 'a'.repeat(20_000), 'exceeded'],
  ['a list that is added to itself', `self${doubled('a + a').repeat(30)}[0].sum() == 1`, [[1, 2]], 'exceeded'],
  [
    'equality of lists in themselves',
    `self${doubled('[a, a]').repeat(28)} == self${doubled('[a, a]').repeat(28)}`,
    [1],
    'exceeded',
  ],
  ['large literals in a loop', `self.map(a, self.map(b, [b, ${'0, '.repeat(1_000)}0])) == []`, numbers, 'exceeded'],
  ['a character of a long text, often', 'self.list.all(i, self.text.charAt(i) != "b")', longText('🙂'), 'exceeded'],
  ['long texts that are no numbers', 'self.list.exists(i, int(self.text) == 1)', longText(''), 'exceeded'],
  [
    'long texts that are numbers',
    'self.list.exists(i, double(self.text) == 1.0)',
    longText('1'.repeat(99)),
    'exceeded',
  ],
  ['many blanks at the end of a text', 'self.trim() == ""', ' '.repeat(1_000_000), 'value'],
  ['many characters of a text', 'self.split("").size() > 0', megabyte, 'value'],
  [
    'many values of one name in a query',
    'url(self).getQuery().size() > 0',
    `http://a/?${'a&'.repeat(150_000)}`,
    'value',
  ],
  [
    'a map with many keys, read often',
    'self.list.all(i, self.map.key1 == 1)',
    { list: numbers, map: Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`key${index}`, index])) },
    'value',
  ],
];

function longText(start: string): JsonValue {
  return { list: numbers, text: start + megabyte };
}

describe('an expression takes limited work and memory, whatever its functions are priced at', () => {
  for (const [title, text, self, outcome] of rows) {
    it(title, () => {
      const program = compileProgram(text, {
        environment: fullEnvironment(),
        variables: new Map([['self', types.dyn]]),
        mixedLiterals: true,
      });
      const [start, heap] = [threadCpuMs(), process.memoryUsage().heapUsed];
      assert.equal(
        outcomeOf(() => program.run([fromJson(self)], costLimit, meterFor(costLimit)).value),
        outcome,
      );
      const [ms, bytes] = [threadCpuMs() - start, process.memoryUsage().heapUsed - heap];
      assert.ok(ms < longestMs, `${ms} ms`);
      assert.ok(bytes < mostMemory, `${bytes} bytes`);
    });
  }
});

function outcomeOf(run: () => unknown): Outcome {
  try {
    const value = run();
    assert.ok(!(value instanceof Failure), value instanceof Failure ? value.message : '');
    return 'value';
  } catch (error) {
    if (error instanceof CostExceeded) return 'exceeded';
    throw error;
  }
}
