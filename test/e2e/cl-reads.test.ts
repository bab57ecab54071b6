import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { runCli } from '../../src/cli/commands/run-cli.ts';
import type { TestServer } from '../../src/testing/index.ts';
import { startServer } from './start-server.ts';

const run = promisify(execFile);

const manifest = `
apiVersion: v1
kind: ConfigMap
metadata: {name: texts, labels: {app: web, tier: "1"}}
data:
  "yes": "yes"
  number: "12"
  date: "2020-01-01"
  colon: "a: b"
  html: <a href="b">c</a>
  lines: "a\\n b\\n"
  no-end: "a\\nb"
  tab: "a\\tb"
  empty: ""
  long: aaaa bbbb cccc dddd eeee ffff gggg hhhh iiii jjjj kkkk llll mmmm nnnn oooo pppp qqqq rrrr ssss tttt uuuu
---
apiVersion: v1
kind: ConfigMap
metadata: {name: b, labels: {app: web}}
data: {x: "1"}
---
apiVersion: v1
kind: Secret
metadata: {name: login}
stringData: {password: hunter2}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: web, image: "nginx:1.25", args: [a, "b c"], ports: [{containerPort: 80}]}
      - {name: side, image: busybox}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{name: http, port: 80}, {name: https, port: 443}]}
---
apiVersion: v1
kind: Pod
metadata: {name: alone, labels: {app: alone}}
spec: {containers: [{name: c, image: i}]}
---
apiVersion: v1
kind: Node
metadata: {name: n-10, labels: {zone: z}}
status: {capacity: {cpu: "4", memory: 8Gi}, conditions: [{type: Ready, status: "True"}]}
---
apiVersion: v1
kind: Node
metadata: {name: n-9}
`;

/** The lines that every kubectl of the tests has. */
const lines = String.raw`
get cm
get cm -o name
get cm,secret,svc
get cm,secret -o name
get cm/texts svc/web
get cm texts b
get cm texts nope
get cm nope
get cm nope --ignore-not-found
get cm,svc nope web
get cm -l app=web,tier
get cm -l 'tier notin (1)' -o name
get cm --field-selector=metadata.name=b
get cm --show-labels
get cm -L app,tier
get cm --show-kind
get cm --no-headers
get cm,svc --no-headers
get cm -A
get svc -A -o wide
get svc -o wide
get deploy -o wide
get all
get all -o name
get pods
get pods,pv
get pv
get pods alone -o wide
get nodes
get nodes --sort-by={.status.capacity.cpu}
get nodes --chunk-size=1
get ns -o name
get foos
get cm -o foo
get cm,foos
get cm a -l x=y
get pods a -A
get -f all.yaml
get -f all.yaml -o name
get -f nope.yaml
get --raw /readyz
get --raw /api/v1/namespaces/default/configmaps/b
get cm texts -o jsonpath={.data.html}
get cm texts -o jsonpath={.data}
get cm -o jsonpath={.items[*].metadata.name}
get cm -o jsonpath='{range .items[*]}{.metadata.name}{"\t"}{.data.x}{"\n"}{end}'
get cm -o jsonpath='{.items[?(@.metadata.name=="b")].data.x}'
get cm -o jsonpath='{.items[-1:].metadata.name} {.items[0].kind}'
get cm -o jsonpath='{.items[0].metadata.labels.app}{.nope}'
get cm -o jsonpath='{.items[9].metadata.name}'
get cm -o jsonpath='{.items[x]}'
get cm -o jsonpath='{.a'
get cm -o jsonpath='{.nope}' --allow-missing-template-keys=false
get cm -o jsonpath-file=path.txt
get svc web -o jsonpath="{.spec['type','selector']}"
get svc web -o jsonpath='{.spec.ports[*].port} {.spec.ports[?(@.port>100)].name}'
get deploy web -o jsonpath='{..image}'
get cm -o go-template='{{range .items}}{{.metadata.name}}{{"\n"}}{{end}}'
get cm -o go-template='{{range $i, $e := .items}}{{if $i}},{{end}}{{$e.metadata.name}}{{end}}'
get cm -o go-template='{{len .items}} {{(index .items 0).kind}} {{.nope}} {{.nope.x}}'
get cm texts -o go-template='{{.data.html | html}} {{.data.html | js}} {{.data.colon | urlquery}}'
get cm texts -o go-template='{{printf "%-8s|%q|%s" .kind "a" .data.number}} {{print 1 2 "a" "b"}} {{println "z"}}'
get cm texts -o go-template='{{if and .kind (eq .data.yes "yes")}}a{{else}}b{{end}} {{with .nope}}x{{else}}y{{end}}'
get cm texts -o go-template='{{- /* c */ -}} {{$x := "a"}}{{$x = "b"}}{{$x}} {{not .nope}} {{or .nope "d"}}'
get cm texts -o go-template='{{range $k, $v := .metadata.labels}}{{$k}}={{$v}};{{end}} {{.metadata.labels}}'
get cm texts -o go-template='{{define "t"}}<{{.}}>{{end}}{{template "t" .kind}} {{slice "abc" 1}}'
get deploy web -o go-template='{{.spec.replicas}} {{.spec.template.spec.containers}}'
get secret login -o go-template='{{.data.password | base64decode}}'
get cm texts -o go-template='{{nope}}'
get cm texts -o go-template='{{if .a}}'
get cm -o go-template-file=go.txt
get cm -o template --template='{{.kind}}'
get cm -o custom-columns=NAME:.metadata.name,APP:.metadata.labels.app,X:.data.x
get cm -o custom-columns=NAME:metadata.name --no-headers
get deploy -o custom-columns=N:.metadata.name,I:.spec.template.spec.containers[*].image,L:.metadata.labels
get cm -o custom-columns-file=columns.txt
get cm -o custom-columns=NAME
wait deploy/web --for=condition=Nope --timeout=300ms
wait pod/nope --for=condition=Ready
wait nodes/n-10 --for=condition=Ready
wait pod -l app=nope --for=condition=Ready
wait pod/alone --for=foo
api-resources -o name
api-resources --verbs=list --namespaced=false -o name
api-versions
`;

/** The lines that came later, or that older versions answer otherwise. */
const laterLines = String.raw`
get cm texts -o json
get cm texts -o yaml
get deploy web -o yaml
get deploy web -o json
get deploy,svc -o yaml
get deploy,svc -o json
get nodes --sort-by=.metadata.name
get nodes --sort-by=.metadata.name -o name
get ns -o yaml
wait pod/nope --for=delete
get cm texts -o kyaml
get deploy -o kyaml
get cm -o jsonpath-as-json={.items[*].metadata.name}
get deploy web --subresource=status -o name
get deploy web --show-managed-fields -o name
get cm -o go-template='{{range .items}}{{break}}{{end}}{{range .items}}{{continue}}{{end}}'
events
events --types=x
wait pod/alone --for=create
wait pod/alone --for=jsonpath={.status.phase}=Pending
wait pod/alone --for=jsonpath={.metadata.name} -o name
wait pod/alone --for=jsonpath={.status.phase}=Failed --timeout=0
wait nodes --all --for=condition=Ready --timeout=0
api-resources
api-resources -o wide
api-resources --api-group=apps --no-headers
api-resources --categories=all
explain pods
explain deploy.spec
explain deploy.spec.replicas
explain deploy.spec.strategy --recursive
explain pods --recursive
explain pods.spec.restartPolicy
explain pods.nope
explain hpa --api-version=autoscaling/v1
explain pods.spec.tolerations --output=plaintext-openapiv2
`;

/** The first minor version of kubectl that has the later lines. */
const laterMinor = 34;

/** Lines that run at the same time. */
const atOnce = 4;

interface Outcome {
  readonly code: number;
  readonly out: string;
}

describe('cl beside kubectl, reading', () => {
  let server: TestServer;
  let directory: string;
  let kubectl: string;
  before(async () => {
    kubectl = (await run('hack/kubectl.sh')).stdout.trim();
    directory = await mkdtemp(path.join(tmpdir(), 'cl-reads-'));
    server = await startServer({ identifiers: 'kubernetes' });
    const files = { config: server.clientConfig, 'all.yaml': manifest };
    const templates = {
      'path.txt': '{.items[*].metadata.name}',
      'go.txt': '{{range .items}}{{.kind}} {{end}}',
      'columns.txt': 'NAME X\nmetadata.name data.x\n',
    };
    for (const [name, text] of Object.entries({ ...files, ...templates })) {
      await writeFile(path.join(directory, name), text, { mode: 0o600 });
    }
    const { code, out } = await cl(['create', '-f', 'all.yaml']);
    assert.equal(code, 0, out);
  });
  after(async () => {
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  });

  async function cl(args: readonly string[]): Promise<Outcome> {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    let out = '';
    stdout.on('data', (chunk: Buffer) => (out += chunk.toString('utf8')));
    const { signal } = new AbortController();
    const io = { stdin: Readable.from([]), stdout, stderr, env: { HOME: directory }, directory, signal };
    const code = await runCli(['--kubeconfig', 'config', ...args], io);
    return { code, out };
  }

  async function kube(args: readonly string[]): Promise<Outcome> {
    const env = { HOME: directory, PATH: process.env.PATH };
    try {
      const { stdout } = await run(kubectl, ['--kubeconfig', 'config', ...args], { env, cwd: directory });
      return { code: 0, out: stdout };
    } catch (error) {
      const { code, stdout } = error as { readonly code: number; readonly stdout: string };
      return { code, out: stdout };
    }
  }

  async function compare(text: string): Promise<void> {
    const left = text.trim().split('\n');
    const differences: string[] = [];
    const work = async (): Promise<void> => {
      for (let line = left.shift(); line !== undefined; line = left.shift()) {
        const args = wordsOf(line);
        const [theirs, ours] = await Promise.all([kube(args), cl(args)]);
        if (theirs.code !== ours.code) differences.push(`${line}: ${ours.code}, kubectl ${theirs.code}`);
        if (masked(theirs.out) !== masked(ours.out))
          differences.push(`${line}:\n${ours.out}--- kubectl:\n${theirs.out}`);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    assert.deepEqual(differences, []);
  }

  it('prints the same, and ends with the same code', () => compare(lines));

  it('does so for what newer versions have', async () => {
    const { out } = await kube(['version', '--client', '-o', 'json']);
    const { clientVersion } = JSON.parse(out) as { readonly clientVersion: { readonly minor: string } };
    if (Number.parseInt(clientVersion.minor, 10) >= laterMinor) await compare(laterLines);
  });
});

/** The words of a line, in which quotes keep what is in them together. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) =>
    word.replaceAll(/'([^']*)'|(?<==)"([^"]*)"/g, (_, single?: string, double?: string) => single ?? double ?? ''),
  );
}

/** Ages may differ by a second, and the width of their column with them. */
function masked(text: string): string {
  return text.replaceAll(/\b\d+[smh](?:\d+[smh])?\b *| +AGE\b *| +LAST SEEN +/g, ' AGE ');
}
