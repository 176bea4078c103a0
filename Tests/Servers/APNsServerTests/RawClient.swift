/// A client that shows each frame as one line, over hyperframe, with TLS above a socket whose end can be told apart.
let rawClient = """
    import hpack, hyperframe.frame as hf, select

    class Stalled(Exception): pass

    class Raw:
        def __init__(self, context=None, patience=20):
            context = context or ssl.create_default_context(cafile=ca)
            context.set_alpn_protocols(['h2'])
            self.socket = socket.create_connection(('127.0.0.1', port), timeout=patience)
            self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
            self.tls = context.wrap_bio(self.incoming, self.outgoing, server_hostname='localhost')
            self.lines, self.heads, self.bytes, self.next, self.over, self.was_reset = [], {}, b'', 1, False, False
            self.encoder, self.decoder, self.auth = hpack.Encoder(), hpack.Decoder(), bearer()
            while True:
                try: self.tls.do_handshake()
                except ssl.SSLWantReadError:
                    self.flush()
                    try: self.incoming.write(self.socket.recv(65536))
                    except TimeoutError: raise Stalled()
                else: break
            self.send(b'PRI * HTTP/2.0\\r\\n\\r\\nSM\\r\\n\\r\\n' + hf.SettingsFrame(0).serialize())
        def flush(self):
            # An error that is told here is not told again by recv.
            try: self.socket.sendall(self.outgoing.read())
            except ConnectionResetError: self.was_reset = True
            except OSError: pass
        def send(self, data):
            self.tls.write(data); self.flush()
        def start(self, extra=()):
            # A request's HEADERS, without its body.
            stream, self.next = self.next, self.next + 2
            fields = [(':method', 'POST'), (':scheme', 'https'), (':path', '/3/device/' + token), (':authority', 'localhost'),
                      ('authorization', self.auth), ('apns-topic', 'im.example'), *extra]
            return hf.HeadersFrame(stream, self.encoder.encode(fields), flags=['END_HEADERS']).serialize(), stream
        def push(self, count=1, extra=()):
            output, streams = b'', []
            for _ in range(count):
                head, stream = self.start(extra)
                output += head + hf.DataFrame(stream, b'{"aps":{}}', flags=['END_STREAM']).serialize()
                streams.append(stream)
            self.send(output)
            return streams[0] if count == 1 else streams
        def ping(self): self.send(hf.PingFrame(0, b'12345678').serialize())
        def end(self, how):
            self.over = True; self.lines.append(how)
        def read(self):
            if self.over: return False
            try: data = self.socket.recv(65536)
            except ConnectionResetError: return self.end('RST')
            if not data: return self.end('RST' if self.was_reset else 'EOF')
            self.incoming.write(data)
            try:
                while True:
                    data = self.tls.read(65536)
                    if not data: break
                    self.bytes += data
            except (ssl.SSLWantReadError, ssl.SSLZeroReturnError): pass
            while len(self.bytes) >= 9:
                frame, length = hf.Frame.parse_frame_header(memoryview(self.bytes[:9]))
                if len(self.bytes) < 9 + length: break
                frame.parse_body(memoryview(self.bytes[9:9 + length])); self.bytes = self.bytes[9 + length:]
                self.lines.append(self.text(frame))
            return True
        def text(self, f):
            end = ' END' if 'END_STREAM' in f.flags else ''
            if isinstance(f, hf.HeadersFrame):
                fields = dict(self.decoder.decode(f.data, raw=True))
                self.heads.setdefault(f.stream_id, []).append(fields)
                return f'HEADERS {f.stream_id} ' + fields.get(b':status', b'trailers').decode() + end
            if isinstance(f, hf.DataFrame): return f'DATA {f.stream_id} {f.data.decode()}' + end
            if isinstance(f, hf.SettingsFrame):
                if 'ACK' in f.flags: return 'ACK of SETTINGS'
                self.send(hf.SettingsFrame(0, flags=['ACK']).serialize())
                return f'SETTINGS streams={f.settings.get(3)} window={f.settings.get(4)}'
            if isinstance(f, hf.RstStreamFrame): return f'RST_STREAM {f.stream_id} {f.error_code}'
            if isinstance(f, hf.GoAwayFrame): return f'GOAWAY {f.last_stream_id} {f.error_code} {f.additional_data.decode()}'
            if isinstance(f, hf.PingFrame): return 'ACK of PING'
            return f'{type(f).__name__} {f.stream_id}'
        def seen(self, *starts): return [l for l in self.lines if l.startswith(starts)]
        def until(self, *starts, count=1):
            limit = time.time() + 20
            while len(self.seen(*starts)) < count:
                if time.time() > limit or self.over: raise SystemExit('not seen; lines: %r' % self.lines)
                self.read()
            return self.seen(*starts)[count - 1]
        def all(self):
            while self.read(): pass
            return [l for l in self.lines if not l.startswith(('SETTINGS', 'ACK', 'WindowUpdate'))]
        def quiet(self, seconds=0.4):
            # Whether nothing comes for a while, not even an end.
            known, limit = len(self.lines), time.time() + seconds
            while (left := limit - time.time()) > 0 and select.select([self.socket], [], [], left)[0]:
                if not self.read(): break
            return [l for l in self.lines[known:] if not l.startswith(('ACK of SETTINGS', 'WindowUpdate'))] == []

    """
