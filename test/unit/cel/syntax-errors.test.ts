import assert from 'node:assert/strict';
import { environmentOfNew } from '../../../src/cel/functions/environment.ts';
import { compileProgram } from '../../../src/cel/program.ts';

const operand =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

/** Broken expressions, with the columns and messages of kube-apiserver 1.36. */
const broken: readonly (readonly [text: string, errors: readonly string[]])[] = [
  [
    '&& ? % a',
    [
      `1: mismatched input '&&' expecting ${operand}`,
      `4: mismatched input '?' expecting ${operand}`,
      `6: extraneous input '%' expecting ${operand}`,
      "9: mismatched input '<EOF>' expecting ':'",
    ],
  ],
  ['?a]', [`1: extraneous input '?' expecting ${operand}`, "3: extraneous input ']' expecting <EOF>"]],
  ['a ?  : c', [`6: extraneous input ':' expecting ${operand}`, "9: mismatched input '<EOF>' expecting ':'"]],
  [
    '/ ) , null @',
    [
      `1: mismatched input '/' expecting ${operand}`,
      `3: mismatched input ')' expecting ${operand}`,
      "12: token recognition error at: '@'",
    ],
  ],
  ['{"a":[1,{"b":2}]in}', [`19: mismatched input '}' expecting ${operand}`]],
  [
    '# ] \\ *',
    [
      "1: token recognition error at: '#'",
      `3: mismatched input ']' expecting ${operand}`,
      "5: token recognition error at: '\\'",
      `8: mismatched input '<EOF>' expecting ${operand}`,
    ],
  ],
  ['[1,2].map(x, x', ["15: missing ')' at '<EOF>'"]],
  ['&', ["1: token recognition error at: '&'", `2: mismatched input '<EOF>' expecting ${operand}`]],
  ['?', [`1: mismatched input '?' expecting ${operand}`, `2: mismatched input '<EOF>' expecting ${operand}`]],
  ['"x" +', [`6: mismatched input '<EOF>' expecting ${operand}`]],
  [']a == b', [`1: extraneous input ']' expecting ${operand}`]],
  ['}', [`1: mismatched input '}' expecting ${operand}`]],
  [
    '( / & * ==',
    [
      `3: mismatched input '/' expecting ${operand}`,
      "5: token recognition error at: '& '",
      `7: mismatched input '*' expecting ${operand}`,
      `9: mismatched input '==' expecting ${operand}`,
      `11: mismatched input '<EOF>' expecting ${operand}`,
    ],
  ],
  ['null (', ["6: extraneous input '(' expecting <EOF>"]],
  ['#', ["1: token recognition error at: '#'", `2: mismatched input '<EOF>' expecting ${operand}`]],
  ['[ 1.5 @', ["7: token recognition error at: '@'", "8: mismatched input '<EOF>' expecting {']', ','}"]],
  ['1u || in', [`7: mismatched input 'in' expecting ${operand}`, `9: mismatched input '<EOF>' expecting ${operand}`]],
  ['a[?0] b', ["7: extraneous input 'b' expecting <EOF>"]],
  [
    '| : " &&',
    [
      "1: token recognition error at: '| '",
      `3: mismatched input ':' expecting ${operand}`,
      `5: token recognition error at: '" &&'`,
    ],
  ],
  ['? for', [`1: extraneous input '?' expecting ${operand}`, '3: reserved identifier: for']],
  ['. .. ...', ["3: no viable alternative at input '. .'"]],
  [
    '& &&',
    [
      "1: token recognition error at: '& '",
      `3: mismatched input '&&' expecting ${operand}`,
      `5: mismatched input '<EOF>' expecting ${operand}`,
    ],
  ],
  ['[?a]|', ["5: token recognition error at: '|'"]],
  [
    '( ] ? [ )',
    [
      `3: mismatched input ']' expecting ${operand}`,
      "9: mismatched input ')' expecting {'[', ']', '{', '(', '.', ',', '-', '!', '?', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}",
    ],
  ],
  ['#!a', ["1: token recognition error at: '#'"]],
  ['[1,2...]', ["6: no viable alternative at input '..'"]],
  [
    '/ 1.5 || in ,',
    [
      `1: extraneous input '/' expecting ${operand}`,
      `10: mismatched input 'in' expecting ${operand}`,
      `13: mismatched input ',' expecting ${operand}`,
    ],
  ],
  [', % } true', [`1: mismatched input ',' expecting ${operand}`, `5: extraneous input '}' expecting ${operand}`]],
  ['a.b.c[1=].d', ["8: token recognition error at: '=]'", "12: missing ']' at '<EOF>'"]],
  ['(-1', ["4: missing ')' at '<EOF>'"]],
  ['a &&= b || c', ["5: token recognition error at: '= '"]],
  [
    '? #',
    [
      `1: mismatched input '?' expecting ${operand}`,
      "3: token recognition error at: '#'",
      `4: mismatched input '<EOF>' expecting ${operand}`,
    ],
  ],
  ['a.b.[1].d', ["5: no viable alternative at input '.['"]],
  ['< (', [`1: extraneous input '<' expecting ${operand}`, `4: mismatched input '<EOF>' expecting ${operand}`]],
  [
    '@ < ] )',
    [
      "1: token recognition error at: '@'",
      `3: mismatched input '<' expecting ${operand}`,
      `5: mismatched input ']' expecting ${operand}`,
    ],
  ],
  [
    '|| 1.5 / /',
    [
      `1: extraneous input '||' expecting ${operand}`,
      `10: mismatched input '/' expecting ${operand}`,
      `11: mismatched input '<EOF>' expecting ${operand}`,
    ],
  ],
  ['[1,2].map(x', ["12: missing ')' at '<EOF>'"]],
  ['] * a !', [`1: mismatched input ']' expecting ${operand}`, "7: extraneous input '!' expecting <EOF>"]],
  [
    '\\ # @',
    [
      "1: token recognition error at: '\\'",
      "3: token recognition error at: '#'",
      "5: token recognition error at: '@'",
      `6: mismatched input '<EOF>' expecting ${operand}`,
    ],
  ],
  ['tru#e', ["4: token recognition error at: '#'", "5: extraneous input 'e' expecting <EOF>"]],
  ['a.b.c[1==].d', [`10: extraneous input ']' expecting ${operand}`, "13: missing ']' at '<EOF>'"]],
  [', 1 *', [`1: extraneous input ',' expecting ${operand}`, `6: mismatched input '<EOF>' expecting ${operand}`]],
  [
    ': ] + && ,',
    [
      `1: mismatched input ':' expecting ${operand}`,
      `7: mismatched input '&&' expecting ${operand}`,
      `10: mismatched input ',' expecting ${operand}`,
    ],
  ],
  [
    '@ < ( :',
    [
      "1: token recognition error at: '@'",
      `3: extraneous input '<' expecting ${operand}`,
      `7: mismatched input ':' expecting ${operand}`,
    ],
  ],
  [
    '# ( |',
    [
      "1: token recognition error at: '#'",
      "5: token recognition error at: '|'",
      `6: mismatched input '<EOF>' expecting ${operand}`,
    ],
  ],
  ['t$rue', ["2: token recognition error at: '$'", "3: extraneous input 'rue' expecting <EOF>"]],
  [') 1u 1', [`1: extraneous input ')' expecting ${operand}`, "6: extraneous input '1' expecting <EOF>"]],
  [
    '* ||',
    [
      `1: mismatched input '*' expecting ${operand}`,
      `3: mismatched input '||' expecting ${operand}`,
      `5: mismatched input '<EOF>' expecting ${operand}`,
    ],
  ],
  [
    'a.b.c[].d',
    [
      "7: extraneous input ']' expecting {'[', '{', '(', '.', '-', '!', '?', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}",
      "10: missing ']' at '<EOF>'",
    ],
  ],
  [
    '] \\ , < "',
    [
      `1: mismatched input ']' expecting ${operand}`,
      "3: token recognition error at: '\\'",
      `9: token recognition error at: '"'`,
      `10: mismatched input '<EOF>' expecting ${operand}`,
    ],
  ],
  ['} "', [`1: mismatched input '}' expecting ${operand}`, `3: token recognition error at: '"'`]],
  [
    '? in',
    [
      `1: mismatched input '?' expecting ${operand}`,
      `3: mismatched input 'in' expecting ${operand}`,
      `5: mismatched input '<EOF>' expecting ${operand}`,
    ],
  ],
  ['1 ... true \\', ["4: no viable alternative at input '..'", "12: token recognition error at: '\\'"]],
  ['a = b', ["3: token recognition error at: '= '", "5: extraneous input 'b' expecting <EOF>"]],
  [
    '* | = : @',
    [
      `1: mismatched input '*' expecting ${operand}`,
      "3: token recognition error at: '| '",
      "5: token recognition error at: '= '",
      `7: mismatched input ':' expecting ${operand}`,
      "9: token recognition error at: '@'",
    ],
  ],
  [
    '& 1.5 ( =',
    [
      "1: token recognition error at: '& '",
      "7: extraneous input '(' expecting <EOF>",
      "9: token recognition error at: '='",
    ],
  ],
  [
    '\\ ) <',
    [
      "1: token recognition error at: '\\'",
      `3: mismatched input ')' expecting ${operand}`,
      `6: mismatched input '<EOF>' expecting ${operand}`,
    ],
  ],
  [
    '== $ )',
    [
      `1: mismatched input '==' expecting ${operand}`,
      "4: token recognition error at: '$'",
      `6: mismatched input ')' expecting ${operand}`,
    ],
  ],
  [
    '} % 1.5 < &',
    [
      `1: mismatched input '}' expecting ${operand}`,
      "11: token recognition error at: '&'",
      `12: mismatched input '<EOF>' expecting ${operand}`,
    ],
  ],
  [
    ') = || |',
    [
      `1: mismatched input ')' expecting ${operand}`,
      "3: token recognition error at: '= '",
      "8: token recognition error at: '|'",
      `9: mismatched input '<EOF>' expecting ${operand}`,
    ],
  ],
  [
    '1.5 && $ &',
    [
      "8: token recognition error at: '$'",
      "10: token recognition error at: '&'",
      `11: mismatched input '<EOF>' expecting ${operand}`,
    ],
  ],
  [
    "* || @ | '",
    [
      `1: mismatched input '*' expecting ${operand}`,
      `3: mismatched input '||' expecting ${operand}`,
      "6: token recognition error at: '@'",
      "8: token recognition error at: '| '",
      "10: token recognition error at: '''",
      `11: mismatched input '<EOF>' expecting ${operand}`,
    ],
  ],
  [
    '# || <',
    [
      "1: token recognition error at: '#'",
      `3: mismatched input '||' expecting ${operand}`,
      `6: mismatched input '<' expecting ${operand}`,
      `7: mismatched input '<EOF>' expecting ${operand}`,
    ],
  ],
  [': ... true .', [`1: extraneous input ':' expecting ${operand}`, "4: no viable alternative at input '..'"]],
  [
    '|| ] 1u ? &',
    [
      `1: mismatched input '||' expecting ${operand}`,
      `4: extraneous input ']' expecting ${operand}`,
      "11: token recognition error at: '&'",
      `12: mismatched input '<EOF>' expecting ${operand}`,
    ],
  ],
  ['1u ? & .', ["6: token recognition error at: '& '", "9: no viable alternative at input '.'"]],
  [
    '| { " |',
    [
      "1: token recognition error at: '| '",
      `5: token recognition error at: '" |'`,
      "8: mismatched input '<EOF>' expecting {'[', '{', '}', '(', '.', ',', '-', '!', '?', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}",
    ],
  ],
  ['] \\ / 1.5', [`1: mismatched input ']' expecting ${operand}`, "3: token recognition error at: '\\'"]],
  [
    'a =}= b',
    [
      "3: token recognition error at: '=}'",
      "5: token recognition error at: '= '",
      "7: extraneous input 'b' expecting <EOF>",
    ],
  ],
  [
    '* @ { null ]',
    [
      `1: extraneous input '*' expecting ${operand}`,
      "3: token recognition error at: '@'",
      "12: mismatched input ']' expecting ':'",
    ],
  ],
  [
    ", ... 1 ... '",
    [
      `1: extraneous input ',' expecting ${operand}`,
      "4: no viable alternative at input '..'",
      "13: token recognition error at: '''",
    ],
  ],
  [') " ( = &&', [`1: mismatched input ')' expecting ${operand}`, `3: token recognition error at: '" ( = &&'`]],
  [
    '+ ? + $',
    [
      `1: mismatched input '+' expecting ${operand}`,
      `3: mismatched input '?' expecting ${operand}`,
      `5: mismatched input '+' expecting ${operand}`,
      "7: token recognition error at: '$'",
      `8: mismatched input '<EOF>' expecting ${operand}`,
    ],
  ],
  [".. : ' ]", ["2: no viable alternative at input '..'", "6: token recognition error at: '' ]'"]],
  [
    '$ == 1 {',
    [
      "1: token recognition error at: '$'",
      `3: extraneous input '==' expecting ${operand}`,
      "8: extraneous input '{' expecting <EOF>",
    ],
  ],
  [
    '| < * 1u',
    [
      "1: token recognition error at: '| '",
      `3: mismatched input '<' expecting ${operand}`,
      `5: extraneous input '*' expecting ${operand}`,
    ],
  ],
  [
    '* ( %',
    [
      `1: extraneous input '*' expecting ${operand}`,
      `5: mismatched input '%' expecting ${operand}`,
      `6: mismatched input '<EOF>' expecting ${operand}`,
    ],
  ],
  [
    'in \\ <',
    [
      `1: mismatched input 'in' expecting ${operand}`,
      "4: token recognition error at: '\\'",
      `6: mismatched input '<' expecting ${operand}`,
      `7: mismatched input '<EOF>' expecting ${operand}`,
    ],
  ],
  ['b ( 1u $', ["8: token recognition error at: '$'", "9: missing ')' at '<EOF>'"]],
  [
    '@ \\ 1 ( @',
    [
      "1: token recognition error at: '@'",
      "3: token recognition error at: '\\'",
      "7: extraneous input '(' expecting <EOF>",
      "9: token recognition error at: '@'",
    ],
  ],
  [') = 1', [`1: extraneous input ')' expecting ${operand}`, "3: token recognition error at: '= '"]],
  [
    '&& : | "',
    [
      `1: mismatched input '&&' expecting ${operand}`,
      `4: mismatched input ':' expecting ${operand}`,
      "6: token recognition error at: '| '",
      `8: token recognition error at: '"'`,
    ],
  ],
  ['has(a', ['5: invalid argument to has() macro', "6: missing ')' at '<EOF>'"]],
  [
    '* < 1u =',
    [
      `1: mismatched input '*' expecting ${operand}`,
      `3: extraneous input '<' expecting ${operand}`,
      "8: token recognition error at: '='",
    ],
  ],
  ['... $ ] [ (', ["2: no viable alternative at input '..'", "5: token recognition error at: '$'"]],
  [
    '& \\ ? @ in',
    [
      "1: token recognition error at: '& '",
      "3: token recognition error at: '\\'",
      `5: mismatched input '?' expecting ${operand}`,
      "7: token recognition error at: '@'",
      `9: mismatched input 'in' expecting ${operand}`,
      `11: mismatched input '<EOF>' expecting ${operand}`,
    ],
  ],
  ['< # 1u', [`1: extraneous input '<' expecting ${operand}`, "3: token recognition error at: '#'"]],
];

function errorsOf(text: string): readonly string[] {
  try {
    compileProgram(text, { environment: environmentOfNew(36), variables: new Map() });
    return [];
  } catch (error) {
    const lines = error instanceof Error ? error.message.split('\n') : [];
    return lines.flatMap((line) => {
      const found = /ERROR: <input>:1:(\d+): (.*)$/.exec(line);
      return found ? [`${found[1]}: ${found[2]?.replace('Syntax error: ', '')}`] : [];
    });
  }
}

describe('errors of the syntax of expressions', () => {
  for (const [text, errors] of broken) {
    it(`are those of kube-apiserver: ${text}`, () => assert.deepEqual(errorsOf(text), errors));
  }

  it('end after a hundred', () => {
    const errors = errorsOf(`1${' + )1'.repeat(3_500)}`);
    assert.deepEqual([errors.length, errors.at(-1)], [101, '505: More than 100 syntax errors']);
  });
});
