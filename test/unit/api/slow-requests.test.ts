import assert from 'node:assert/strict';
import { slowRequestLog } from '../../../src/api/observation/slow-requests.ts';
import { OpenExchange } from '../../../src/api/request/exchange.ts';
import { parseRequestPath } from '../../../src/api/request/request-path.ts';
import { ByteBudget } from '../../../src/http-protocol/requests/byte-budget.ts';
import type { HttpRequest, HttpResponse } from '../../../src/http-protocol/messages/http-message.ts';

describe('the log of a slow request', () => {
  it('cannot be forged by its path or user', () => {
    const [request, response] = [{ headers: {}, httpVersion: '1.1' } as HttpRequest, {} as HttpResponse];
    const budgets = { bodies: new ByteBudget(0), answers: new ByteBudget(0) };
    const exchange = new OpenExchange(request, response, budgets);
    exchange.verb = 'get';
    exchange.path = parseRequestPath('/api/v1/namespaces/default/configmaps/a%0AE1129 00:00:00 forged');
    exchange.user = { username: 'eve\nE1129', uid: '', groups: [], extra: {} };
    const texts: string[] = [];
    const log = { info: (_: object, text: string) => void texts.push(text), debug() {}, warn() {}, error() {} };
    slowRequestLog(log)(exchange, { status: 200, bytes: 0, durationMs: 900, aborted: false });
    const lines = texts.join('\n').split('\n');
    assert.equal(lines.length, 2, lines.join('\n'));
    assert.ok(lines.every((line) => line.startsWith('Trace[')));
  });
});
