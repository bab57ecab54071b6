import assert from 'node:assert/strict';
import { objectPrinter } from '../../../../src/cli/printers/print-object.ts';
import { writtenPrinter } from '../../../../src/cli/printers/print-written.ts';
import { sortByPath } from '../../../../src/cli/printers/sort-by-path.ts';

const object = {
  kind: 'Deployment',
  apiVersion: 'apps/v1',
  metadata: { name: 'web', labels: { 'a.b/c': 'x' }, managedFields: [] },
  spec: {
    replicas: 1_000_000,
    list: [
      { n: 'a', v: 1 },
      { n: 'b', v: 2 },
    ],
    text: "it's <b>",
    none: null,
  },
};

async function shown(output: string, allowMissingTemplateKeys = true): Promise<string> {
  const print = await objectPrinter({ output, allowMissingTemplateKeys }, { directory: '.' });
  return print(object);
}

describe('the formats of -o', () => {
  const paths: readonly (readonly [template: string, text: string])[] = [
    ['{.metadata.name}{"\\t"}{.kind}', 'web\tDeployment'],
    ['{.spec.list[*].n} {.spec.list[-1].n} {.spec.list[0:1].v}', 'a b b 1'],
    ['{range .spec.list[*]}{.n}={.v};{end}', 'a=1;b=2;'],
    ['{.spec.list[?(@.v>1)].n}{.spec.list[?(@.n=="a")].v}{.spec.list[?(@.x)].n}', 'b1'],
    ['{.metadata.labels.a\\.b/c} {.metadata.labels["a.b/c"]}'.replaceAll('"', "'"), 'x x'],
    ["{.metadata['name','labels']}", 'web {"a.b/c":"x"}'],
    ['{..n}|{.nope.x}|{$.kind}|{@.kind}', 'a b||Deployment|Deployment'],
  ];
  for (const [template, text] of paths) {
    it(`jsonpath=${template}`, async () => assert.equal(await shown(`jsonpath=${template}`), text));
  }

  const templates: readonly (readonly [template: string, text: string])[] = [
    ['{{.metadata.name}} {{.nope}} {{.nope.x}} {{.spec.replicas}}', 'web <no value> <no value> 1e+06'],
    ['{{range $i, $e := .spec.list}}{{if $i}}, {{end}}{{$e.n}}{{else}}none{{end}}', 'a, b'],
    ['{{range .spec.list}}{{if eq .n "b"}}{{break}}{{end}}{{.n}}{{end}}', 'a'],
    ['{{range .spec.list}}{{if eq .n "a"}}{{continue}}{{end}}{{.n}}{{end}}', 'b'],
    ['{{with .nope}}x{{else with .kind}}{{.}}{{end}} {{- /* no text */ -}} |', 'Deployment|'],
    ['{{$x := 1}}{{if true}}{{$x = 2}}{{end}}{{$x}} {{(index .spec.list 1).n}} {{len .spec.list}}', '2 b 2'],
    ['{{printf "%-4s|%03d|%q|%.1f|%t" "a" 7 "b" 1.25 true}}', 'a   |007|"b"|1.3|true'],
    [
      '{{.spec.text | html}} {{.spec.text | js}} {{.spec.text | urlquery}}',
      "it&#39;s &lt;b&gt; it\\'s \\u003Cb\\u003E it%27s+%3Cb%3E",
    ],
    ['{{and .kind .nope}}{{or .nope .kind}} {{not .nope}} {{"aGk=" | base64decode}}', '<no value>Deployment true hi'],
    ['{{lt 1 2}} {{ge 2.5 3.0}} {{ne "a" "b"}} {{eq "a" "b" "a"}} {{print 1 2 "a"}}', 'true false true true 1 2a'],
    ['{{define "t"}}<{{.}}>{{end}}{{template "t" .kind}}{{block "u" .kind}}[{{.}}]{{end}}', '<Deployment>[Deployment]'],
    ['{{.spec.list}} {{exists .spec "list"}} {{slice "abc" 1 2}}', '[map[n:a v:1] map[n:b v:2]] true b'],
  ];
  for (const [template, text] of templates) {
    it(`go-template=${template}`, async () => assert.equal(await shown(`go-template=${template}`), text));
  }

  const wrong: readonly (readonly [output: string, message: RegExp])[] = [
    ['jsonpath={.a', /error parsing jsonpath \{\.a, a brace is not closed/],
    ['jsonpath={end}', /not in range, nothing to end/],
    ['jsonpath={.spec.list[x]}', /invalid array index x/],
    ['jsonpath={.spec.list[9]}', /array index out of bounds: index 9, length 2/],
    ['jsonpath', /no template given/],
    ['go-template={{nope}}', /function "nope" not defined/],
    ['go-template={{if .a}}', /\{\{if\}\} has no \{\{end\}\}/],
    ['go-template={{.kind.x}}', /can't evaluate field x/],
    ['go-template={{define "a"}}{{template "a"}}{{end}}{{template "a"}}', /without end/],
    ['xml', /unable to match a printer suitable for the output format "xml", allowed formats are: go-template,/],
  ];
  for (const [output, message] of wrong) {
    it(`refuses ${output}`, () => assert.rejects(shown(output), message));
  }

  it('makes a missing field an error, if it is asked to', async () => {
    await assert.rejects(shown('jsonpath={.nope}', false), /nope is not found/);
    await assert.rejects(shown('go-template={{.nope}}', false), /map has no entry for key "nope"/);
  });

  it('names objects that were written, or prints them without their managers', async () => {
    const io = { directory: '.' };
    const done = await writtenPrinter({ output: undefined, dryRun: 'client' }, io);
    assert.equal(done(object, 'created'), 'deployment.apps/web created (dry run)\n');
    const name = await writtenPrinter({ output: 'name' }, io);
    assert.equal(name(object, 'created'), 'deployment.apps/web\n');
    const yaml = await writtenPrinter({ output: 'yaml' }, io);
    const [first, second] = [yaml(object, 'created'), yaml(object, 'created')];
    assert.match(
      first,
      /^apiVersion: apps\/v1\nkind: Deployment\nmetadata:\n {2}labels:\n {4}a.b\/c: x\n {2}name: web\nspec:/,
    );
    assert.equal(second, `---\n${first}`);
  });

  it('indents JSON by four spaces, with every digit of numbers', async () => {
    const print = await objectPrinter({ output: 'json' }, { directory: '.' });
    const text = print({ b: [9007199254740993n, {}], a: '<' });
    assert.equal(text, '{\n    "a": "\\u003c",\n    "b": [\n        9007199254740993,\n        {}\n    ]\n}\n');
  });

  it('sorts numbers and quantities by value, and other texts by their characters', () => {
    const sorted = (values: readonly (string | number)[]) => sortByPath(values, '.x', (x) => ({ x }));
    assert.deepEqual(sorted([10, 9, 100]), [9, 10, 100]);
    assert.deepEqual(sorted(['1Gi', '100Mi', '1500Mi']), ['100Mi', '1Gi', '1500Mi']);
    assert.deepEqual(sorted(['node-10', 'node-9', 'a']), ['a', 'node-10', 'node-9']);
    assert.throws(() => sortByPath([{}, {}], '.nope', (x) => x), /couldn't find any field with path/);
  });
});
