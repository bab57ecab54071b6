import assert from 'node:assert/strict';
import { rewriteLinks } from '../../../../src/http-protocol/forward/rewrite-links.ts';
import { rewriteUrl } from '../../../../src/http-protocol/forward/rewrite-url.ts';

const rule = { prefix: '/p', host: '10.0.0.1:80', clientHost: 'api:6443' };

/** Rewrites a page that arrives in pieces of a length. */
async function rewritten(page: string, length: number): Promise<string> {
  async function* pieces(): AsyncGenerator<Buffer> {
    const bytes = Buffer.from(page);
    for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
  }
  const chunks: Buffer[] = [];
  for await (const chunk of rewriteLinks(pieces(), (url) => rewriteUrl(url, rule))) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const long = `data:image/png;base64,${'A'.repeat(40_000)}`;

const pages: readonly (readonly [page: string, expected: string])[] = [
  ['<a href="/x">é</a>', '<a href="/p/x">é</a>'],
  ["<A  HREF = '/x'>", "<A  HREF = '/p/x'>"],
  ['<a href=/x>', '<a href=/p/x>'],
  ['<img alt="/no" src="/i?a=1&amp;b" longdesc="/l"/>', '<img alt="/no" src="/p/i?a=1&amp;b" longdesc="/p/l"/>'],
  ['<p title="/no">/no</p>', '<p title="/no">/no</p>'],
  ['<script src="/s">"<a href=\'/no\'>"</script>', '<script src="/p/s">"<a href=\'/no\'>"</script>'],
  ['<!-- <a href="/no"> --><form action="//10.0.0.1:80/f">', '<!-- <a href="/no"> --><form action="/p/f">'],
  ['<textarea><a href="/no"></textarea>', '<textarea><a href="/no"></textarea>'],
  ['<a href="http://10.0.0.1:80/x#y">\r\n\0', '<a href="/p/x#y">\r\n\0'],
  ['<a href="http://api:6443/x">', '<a href="http://api:6443/p/x">'],
  [
    '<a href="http://other/x"><a href="rel"><a href="/p/x"><a href="/px"><a href="javascript:x">',
    '<a href="http://other/x"><a href="rel"><a href="/p/x"><a href="/p/px"><a href="javascript:x">',
  ],
  [`<img src="${long}"><a href="/x">`, `<img src="${long}"><a href="/p/x">`],
  ['<a href="/unfinished', '<a href="/unfinished'],
  ['<a href="">', '<a href="">'],
];

describe('the links of a page', () => {
  for (const [page, expected] of pages) {
    it(`are rewritten in ${page.slice(0, 60)}, however it arrives`, async () => {
      for (const length of [1, 2, 3, 7, 1000, 100_000]) {
        if (page.length / length > 10_000) continue;
        assert.equal(await rewritten(page, length), expected, `in pieces of ${length}`);
      }
    });
  }
});
