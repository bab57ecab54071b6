import assert from 'node:assert/strict';
import { otherSignInStories, signInStories } from './dashboard/access-stories.ts';
import { accessibilityStories } from './dashboard/accessibility-stories.ts';
import { DashboardWorld } from './dashboard/dashboard-world.ts';
import { objectStories } from './dashboard/object-stories.ts';
import { tableStories } from './dashboard/table-stories.ts';
import { viewStories } from './dashboard/view-stories.ts';

const largestBytes = 200 * 1024;

describe('the dashboard in Chromium', () => {
  const world = new DashboardWorld();
  before(() => world.start());
  after(() => world.stop());
  // A story that fails may leave a small screen.
  beforeEach(() => world.page.setViewportSize({ width: 1280, height: 720 }));
  afterEach(() => assert.deepEqual(world.browser.faults, []));

  it('is small', async () => {
    const { page, server } = world;
    const script = await page.request.get(`${server.url}/dashboard/dashboard.js`);
    assert.equal(script.headers()['content-encoding'], 'br');
    assert.ok(Number(script.headers()['content-length']) < largestBytes);
  });

  signInStories(world);
  tableStories(world);
  objectStories(world);
  viewStories(world);
  accessibilityStories(world);
  otherSignInStories(world);
});
