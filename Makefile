# Every target works on a machine with Node (20.19 or newer), npm and make; `make` alone lists them.
SHELL := /bin/sh
BIN := node_modules/.bin
NODE_MODULES := node_modules/.package-lock.json
MOCHA := $(BIN)/mocha --config test/.mocharc.json
UNIT := 'dist/test/unit/**/*.test.js'
HTTP := 'dist/test/http/**/*.test.js'
CONTRACT := 'dist/test/contract/**/*.test.js'
E2E := 'dist/test/e2e/**/*.test.js'
# They judge what servers do under load; the scenarios with faults wait more than they work.
SELECTED := 'dist/test/robustness/*.test.js' 'dist/test/soak/*.test.js'
# They depend on the TLS and the HTTP of Node, which differ between its releases; `make node-24` has all that meet a difference.
ON_NODE_24 := 'dist/test/http/connect/**/*.test.js' 'dist/test/unit/{outbound,pki}/**/*.test.js' \
  $(addprefix dist/test/http/,$(addsuffix .test.js,client/direct-connections client/keep-alive client/proxies \
  identity/client-certificates identity/front-proxy rotated-certificates tls-settings))
ALL_ON_NODE_24 := 'dist/test/http/{identity,client,connect,limits}/**/*.test.js' \
  'dist/test/unit/{authn,client,listen,outbound,pki,server}/**/*.test.js' \
  dist/test/http/rotated-certificates.test.js dist/test/http/tls-settings.test.js
MOCHA_ON_NODE_24 = node=$$(hack/node-24.sh) && "$$node" node_modules/mocha/bin/mocha.js --config test/.mocharc.json
COMMA := ,
FIDELITY := 'dist/test/fidelity/**/*.test.js'

.DEFAULT_GOAL := help
.PHONY: help run build test test-in-process test-systems test-on-node-24 test-faults test-matrices test-all-faults unit http contract e2e coverage bench figures robustness soak fidelity conformance takeover client-go node-24 mutants release generate verify format clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(NODE_MODULES): package.json package-lock.json
	@node hack/install-packages.js

run: build ## Build what changed, then start etcd, the API server and the controllers; Ctrl-C stops all of it
	@node dist/bundle/bin/cl.js up $(ARGS)

build: ## Install the packages, compile to dist/ and bundle what is published; only what changed
	@node hack/build.js

test: build ## Unit, HTTP, contract and e2e tests and a selection of faults, against a real etcd
	@node dist/hack/run-parts.js test-on-node-24,test-in-process test-faults,test-systems

# Long tests of faults, of memory and of whole matrices are left to `make robustness`.
LEFT_OUT := $(addprefix dist/test/e2e/cl-lines/,reads.test.js writes.test.js folder.test.js) dist/test/e2e/monitoring.test.js \
  dist/test/e2e/haproxy.test.js dist/test/e2e/leader-kill/lost-node.test.js dist/test/http/custom-resources/forgotten-definitions.test.js
MOCHA_OF_TEST := $(MOCHA) --jobs 3 $(addprefix --ignore ,$(LEFT_OUT))

# The parts of `make test`, which run without a build: two beside each other, one that computes and one that mostly waits.
test-in-process:
	@$(MOCHA_OF_TEST) $(UNIT) $(HTTP)

test-systems:
	@$(MOCHA_OF_TEST) $(CONTRACT) $(E2E) $(FIDELITY)

# One core is left to the faults.
test-on-node-24:
	@$(MOCHA_ON_NODE_24) --jobs 1 $(ON_NODE_24)

test-faults:
	@$(MOCHA) --jobs 2 $(SELECTED)

unit: build ## Unit tests of the files with changes since the last commit, or all
	@set -f; tests=$$(node dist/hack/unit-tests.js); \
	if [ -n "$$tests" ]; then $(MOCHA) $$tests; else echo 'no unit test reaches the changed files'; fi

http: build ## Stories over HTTP, to a server in the process of the test, on the memory store
	$(MOCHA) $(HTTP)

contract: build ## The contract suite against every store
	$(MOCHA) $(CONTRACT)

e2e: build ## Stories with real servers, a real etcd and real clients
	$(MOCHA) $(E2E)

node-24: build ## Tests of TLS, identity and connections on Node 24
	$(MOCHA_ON_NODE_24) $(ALL_ON_NODE_24)

coverage: build ## Unit, HTTP and contract tests with a coverage report in coverage/
	$(BIN)/c8 --include 'dist/src/**' --reporter text-summary --reporter html $(MOCHA) $(UNIT) $(HTTP) $(CONTRACT)

bench: build ## Measure against a bare baseline in the same run
	@node dist/test/bench/bench.js $(ARGS)

figures: build ## Write the rows of the last `make bench` into the table of docs/performance.md
	@node dist/test/bench/write-figures.js

# Matrices of which `make test` has a selection.
MATRICES := $(addprefix dist/test/e2e/reads/,read-options.test.js watch-options.test.js pages.test.js) \
  $(addprefix dist/test/e2e/cl-lines/,creates.test.js pods.test.js) dist/test/e2e/cl-edits.test.js dist/test/e2e/dashboard.test.js \
  dist/test/http/releases/other-releases.test.js dist/test/http/reads/watch-lists.test.js dist/test/e2e/kubectl-newest.test.js

robustness: build ## All faults under traffic, checked against etcd's own log, large bodies, inputs that expand, whole matrices, in about 100 minutes
	@node dist/$(if $(ARGS),test/robustness/robustness.js $(ARGS),hack/run-parts.js test-matrices$(COMMA)test-all-faults)

test-matrices:
	@EVERY_CASE=1 $(MOCHA) --jobs 2 $(MATRICES) $(LEFT_OUT)

test-all-faults:
	@node dist/test/robustness/robustness.js

soak: build ## Half an hour of mixed load: wrong answers, growing memory, a blocked loop; ARGS=definitions: memory of removed ones
	@node dist/test/soak/soak.js $(ARGS)

fidelity: build ## The same random requests to kube-apiserver and to this server, answers compared
	@node dist/test/fidelity/fidelity.js $(ARGS)

client-go: build ## Informers and helpers of client-go 0.36 against a server that is restarted, if Go ($$GO) finds its packages
	@node dist/test/client-go/client-go.js

conformance: build ## Conformance tests of Kubernetes without real pods, if $$E2E_TEST is their binary of 1.20 or 1.36, in half an hour; ARGS=fixtures: public example objects in $$API_FIXTURES
	@node dist/test/conformance/conformance.js $(ARGS)

takeover: build ## A store of kube-apiserver ($$KUBE_APISERVER, $$KUBE_CONTROLLER_MANAGER) is taken over by this server and given back
	@node dist/test/takeover/takeover.js

mutants: build ## Plant faults in the program, one at a time, and see whether tests notice them
	@node dist/test/mutants/mutants.js $(ARGS)

release: build ## Make the files of a release in .cache/release: package, archives, chart, bill of materials, checksums
	@node dist/hack/release/make-release.js .cache/release

generate: $(NODE_MODULES) ## Regenerate src/gen/ from proto/
	@rm -rf src/gen
	$(BIN)/buf generate

verify: build ## Generated code, layers, exports, identifiers, format and lint; fails on any difference
	$(BIN)/buf lint
	$(BIN)/buf format --diff --exit-code proto
	@hack/verify-generated.sh
	@node dist/hack/check-layers.js
	@node dist/hack/check-exports.js
	@node dist/hack/check-identifiers.js
	@node dist/hack/check-words.js
	@node dist/hack/check-tests.js
	@node dist/hack/check-descriptions.js
	@node dist/hack/check-dependencies.js
	@node dist/hack/write-cli-docs.js --check
	@node dist/hack/write-monitoring.js --check
	@node dist/hack/write-reference-docs.js --check
	@node dist/hack/write-api-docs.js --check
	@node dist/hack/check-docs.js
	$(BIN)/biome format .
	$(BIN)/oxlint --type-aware --deny-warnings src test hack

format: $(NODE_MODULES) ## Format the sources
	$(BIN)/buf format -w proto
	$(BIN)/biome format --write .

clean: ## Remove what was built, fetched and stored
	rm -rf dist .build .cache .cl coverage node_modules
