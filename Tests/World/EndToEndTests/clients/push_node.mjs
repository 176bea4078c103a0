// Pushes with Node's http2 alone, as a small provider would: one session, made anew once it has ended.
// Reads a line of JSON for each push, {"token": …}, and writes one with what came back.
//
// Usage: node push_node.mjs URL CA-FILE PROVIDER-TOKEN TOPIC

import http2 from 'node:http2';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [url, caFile, providerToken, topic] = process.argv.slice(2);
const ca = readFileSync(caFile);
let session, goAway = null;

function connect() {
  if (session && !session.closed && !session.destroyed) return session;
  goAway = null;
  session = http2.connect(url, { ca });
  session.on('error', () => {});
  session.on('goaway', (code, lastStream, data) => { goAway = { code, lastStream, data: data?.toString() ?? '' }; });
  return session;
}

function push(token) {
  return new Promise((resolve, reject) => {
    const stream = connect().request({
      ':method': 'POST', ':path': `/3/device/${token}`, authorization: `bearer ${providerToken}`,
      'apns-topic': topic, 'apns-push-type': 'alert', 'apns-expiration': 0,
    });
    let status = null, id = null, body = '';
    stream.setEncoding('utf8');
    stream.on('response', (headers) => { status = headers[':status']; id = headers['apns-id']; });
    stream.on('data', (text) => { body += text; });
    stream.on('end', () => resolve({ status, id, reason: body ? JSON.parse(body).reason : null }));
    stream.on('error', reject);
    stream.end('{"aps":{"alert":"x"}}');
  });
}

for await (const line of createInterface({ input: process.stdin })) {
  const { token, waitForGoAway } = JSON.parse(line);
  const answer = await push(token).catch((error) => ({ error: String(error) }));
  if (waitForGoAway && !session.closed && !session.destroyed) {
    await new Promise((resolve) => { session.once('close', resolve); });
  }
  console.log(JSON.stringify({ ...answer, goAway }));
}
session?.close();
