// Understudy @VERSION@ for tests in Dart 3.0 or later: one file, nothing else to install. understudy helper dart > integration_test/understudy.dart
//
//   testWidgets('logs in', (tester) => inWorld((world) async {   // package:test and flutter_test alike: a world for each test
//     final code = await world.code('ada@example.com');
//   }));
//
// On a phone or an emulator there is no environment: flutter test --dart-define=UNDERSTUDY_URL=http://10.0.2.2:8420
import 'dart:convert';
import 'dart:io';

/// An object of JSON.
typedef Members = Map<String, dynamic>;

/// The control API said no: the status of HTTP, a title, which for a phone is the SDK's name of the error, and a sentence.
class Problem implements Exception {
  final int status;
  final String title, detail;
  Problem(this.status, this.title, this.detail);

  @override
  String toString() => '$status $title: $detail';
}

/// A running program: that of UNDERSTUDY_URL, or one that start() began.
class Understudy {
  final String url;
  final String? token;
  final Process? _process;
  static Future<Understudy>? _shared;
  Understudy(String url, [this.token, this._process]) : url = url.replaceFirst(RegExp(r'/$'), '');

  /// A program of our own on a free port, with options of understudy serve: UNDERSTUDY_BINARY, or else the one on the PATH.
  static Future<Understudy> start([List<String> options = const []]) async {
    final binary = Platform.environment['UNDERSTUDY_BINARY'] ?? 'understudy';
    final process = await Process.start(binary, ['serve', '--port', '0', '--json', ...options]);
    process.stderr.listen(stderr.add);
    final line = await process.stdout.transform(utf8.decoder).transform(const LineSplitter()).first;
    final banner = jsonDecode(line) as Members;
    return Understudy(banner['url'], banner['controlToken'], process);
  }

  /// The program of UNDERSTUDY_URL, or a new one.
  static Future<Understudy> connect([List<String> options = const []]) async {
    const url = String.fromEnvironment('UNDERSTUDY_URL'), token = String.fromEnvironment('UNDERSTUDY_CONTROL_TOKEN');
    final found = url.isEmpty ? Platform.environment['UNDERSTUDY_URL'] : url;
    if (found == null) return start(options);
    return Understudy(found, token.isEmpty ? Platform.environment['UNDERSTUDY_CONTROL_TOKEN'] : token);
  }

  /// One program for all tests of this process.
  static Future<Understudy> shared() => _shared ??= connect();

  /// Ends a program that start() began; leaves any other alone.
  void stop() => _process?.kill();

  /// A new world. Order: name, fixtures, seed, clock (such as "2026-03-04T10:15:00Z"), frozen, from.
  Future<World> world([Members order = const {}]) async {
    final made = await call('POST', '/worlds', order);
    return World(this, made['name'], made['baseURL'], Map<String, String>.from(made['urls']));
  }

  /// A call of the control API; what it answers, JSON or text.
  Future<dynamic> call(String method, String path, [Object? body, Members query = const {}, String? base]) async {
    final known = {for (final each in query.entries) if (each.value != null) each.key: '${each.value}'};
    final address = Uri.parse('${base ?? url}/_understudy/v1$path').replace(queryParameters: known.isEmpty ? null : known);
    final client = HttpClient()..findProxy = (_) => 'DIRECT';
    try {
      final request = await client.openUrl(method, address);
      request.headers.set('Content-Type', 'application/json');
      if (token != null) request.headers.set('Authorization', 'Bearer $token');
      if (body != null) request.add(utf8.encode(jsonEncode(body)));
      final answer = await request.close().timeout(_patience);
      final text = await answer.transform(utf8.decoder).join().timeout(_patience);
      final isJSON = answer.headers.value('Content-Type')?.contains('json') ?? false;
      if (answer.statusCode < 400) return isJSON ? jsonDecode(text) : text;
      final Members told = isJSON ? jsonDecode(text) : {'title': 'no answer of Understudy', 'detail': text};
      throw Problem(answer.statusCode, '${told['title']}', '${told['detail']}');
    } finally {
      client.close(force: true);
    }
  }

  /// How long an answer may take; then a TimeoutException is thrown.
  static const _patience = Duration(seconds: 90);
}

/// A complete set of users, keys, mails, time and journal, which no other test sees. urls: base URLs by their path, such as hanko.
class World {
  final Understudy server;
  final String name, url;
  final Map<String, String> urls;
  World(this.server, this.name, this.url, this.urls);

  Future<dynamic> call(String method, String path, [Object? body, Members query = const {}]) => server.call(method, path, body, query, url);
  Future<List<Members>> _list(String path, String name, Members query) async =>
      List<Members>.from((await call('GET', path, null, query))[name]);

  /// The newest code that was sent to somebody and is still good, waited for. Query: wait, kind, after, used.
  Future<String> code(String to, [Members query = const {}]) async => (await message(to, query))['code'];

  /// The same with id, kind, link and times.
  Future<Members> message(String to, [Members query = const {}]) async => await call('GET', '/codes', null, {'to': to, 'wait': 10, ...query});

  /// The newest mail to somebody, whole, waited for: html is the text of its HTML part. Query: wait, subject, kind, q, after.
  Future<Members> mail(String to, [Members query = const {}]) async {
    final mail = await latest({'to': to, ...query});
    return {...mail, 'html': mail['html'] ? await call('GET', '/outbox/${mail['id']}/html') : null};
  }

  /// All messages, the newest first. Query: to, subject, kind, q, after, limit, wait.
  Future<List<Members>> outbox([Members query = const {}]) => _list('/outbox', 'messages', query);

  /// The newest message, whole, with all codes and links in it. Query: to, wait, subject, kind, q, after, explain.
  Future<Members> latest([Members query = const {}]) async => await call('GET', '/outbox/latest', null, {'wait': 10, ...query});

  /// A text message of your own back end. Returns it with the code in it.
  Future<Members> sendText(String to, String text, [String? from]) async => await call('POST', '/outbox', {'to': to, 'text': text, 'from': from});
  Future<void> clearOutbox([String? to]) => call('DELETE', '/outbox', null, {'to': to});

  /// Lets time pass in this world alone.
  Future<void> advance(num seconds) => call('POST', '/clock/advance', {'seconds': seconds});

  /// The time of this world: now, frozen, tokenTimes.
  Future<void> setClock(Members clock) => call('PUT', '/clock', clock);

  /// Something goes wrong from now on: fault('down', {'platform': 'hanko'}, {'answer': {'status': 503}}). A name of null is made up.
  Future<String> fault(String? name, Members match, Members effect) async =>
      (await call('POST', '/faults', {'name': name, 'match': match, 'effect': effect}))['name'];
  Future<void> clearFaults() => call('DELETE', '/faults');
  Future<void> snapshot(String name) => call('POST', '/snapshots', {'name': name});
  Future<void> restore(String name) => call('POST', '/snapshots/${Uri.encodeComponent(name)}/restore');

  /// A simulated phone that is there, such as ada.
  Phone phone(String name) => Phone(this, name);

  /// A new and empty phone. Order: owner, mail, model, policy and what else set() knows.
  Future<Phone> addPhone(String name, [Members order = const {}]) async {
    await call('POST', '/phones', {'name': name, ...order});
    return phone(name);
  }

  /// What keeps the passkeys of a phone that is there, such as ada.
  Authenticator authenticator(String phone) => Authenticator(this, phone);

  /// A token without its flow: (await mint('hanko', 'session', {'user': 'ada@example.com'}))['token']. Order: user, client, scope, claims, lifetime, flaw, key.
  Future<Members> mint(String platform, String kind, [Members order = const {}]) async =>
      await call('POST', '/tokens', {'platform': platform, 'kind': kind, ...order});

  /// What waits for a decision or did lately, the newest first. Query: platform, state, user, open, limit, wait.
  Future<List<Members>> transactions([Members query = const {}]) => _list('/transactions', 'transactions', query);

  /// Does with a transaction what a person would do, by an action that it names.
  Future<Members> decide(String id, String action) async => await call('POST', '/transactions/${Uri.encodeComponent(id)}/$action');

  /// What platforms keep, such as users and devices, the newest first. Query: platform, kind, user, state, limit, wait.
  Future<List<Members>> records([Members query = const {}]) => _list('/records', 'records', query);
  Future<Members> addRecord(String platform, String kind, [Map<String, String> inputs = const {}]) async =>
      await call('POST', '/records', {'platform': platform, 'kind': kind, 'inputs': inputs});

  /// Does to a record what the console offers, by an action that it names; null when it is gone then.
  Future<Members?> changeRecord(String platform, String id, String action, [Map<String, String> inputs = const {}]) async {
    final changed = await call('POST', '/records/$platform/${Uri.encodeComponent(id)}/$action', {'inputs': inputs});
    return changed is Members ? changed : null;
  }

  /// The newest flow, such as a login, as text that is the same in each run. Query: wait, user, platform, since, format (mermaid, svg).
  Future<String> flow([Members query = const {}]) async => await call('GET', '/flows/last', null, {'wait': 5, 'format': 'text', ...query});

  /// What was refused in this world and why, the oldest first, a line each.
  Future<List<String>> refusals() async {
    final entries = await _list('/journal', 'entries', {'refused': true});
    return [
      for (final entry in entries.reversed)
        '${entry['exchange']?['method']} ${entry['exchange']?['target']} → ${entry['exchange']?['status']}: ${entry['explanation']}'
    ];
  }

  Future<void> delete() => server.call('DELETE', '/worlds/$name');
}

/// A simulated phone with an app for each platform. What its app or the platform refuses is a Problem with the SDK's name for it.
class Phone {
  final World world;
  final String name;
  Phone(this.world, this.name);

  Future<Members> _tell(String method, String action, [Members? body]) async {
    final all = {...?body}, wait = all.remove('wait');
    return await world.call(method, '/phones/${Uri.encodeComponent(name)}$action', method == 'GET' ? null : all, {'wait': wait});
  }

  /// Has its owner enrolled. Order: platform, pin, protocol and more.
  Future<Members> enrol([Members order = const {}]) => _tell('POST', '/enrol', order);

  /// Takes the text of a QR code, a link or a typed code.
  Future<Members> scan(String text, [Members order = const {}]) => _tell('POST', '/scan', {'text': text, ...order});

  /// The requests that wait for an answer. Query: wait.
  Future<List<Members>> pending([Members query = const {}]) async => List<Members>.from((await _tell('GET', '/pending', query))['requests']);

  /// The first request that waits, waited for. Answer: wait, id, with ("wrong-pin", "biometry"), pin, after, fault, platform, account.
  Future<Members> approve([Members answer = const {}]) => _tell('POST', '/approve', {'wait': 10, ...answer});

  /// The same with no. Answer: wait, id, reason, platform, account and more.
  Future<Members> decline([Members answer = const {}]) => _tell('POST', '/decline', {'wait': 10, ...answer});

  /// The header fields with which its app would send a request. Order: platform, method, uriId, body, with, token.
  Future<Map<String, String>> sign([Members order = const {}]) async => Map<String, String>.from((await _tell('POST', '/sign', order))['headers']);

  /// What the owner can do in an app: begin('applogin', 'nextauth', {'inactivity_timeout': '120'}).
  Future<Members> begin(String action, [String? platform, Map<String, String> inputs = const {}]) =>
      _tell('POST', '/do', {'action': action, 'platform': platform, 'inputs': inputs});

  /// policy: "approve after 3 s", network: "offline", clockSkew: 120 and more.
  Future<void> set(Members change) => _tell('PATCH', '', change);
}

/// Passkeys without a browser: it takes the options of any relying party and answers with the credential; as JSON text to JSON text.
class Authenticator {
  final World world;
  final String phone;
  Authenticator(this.world, this.phone);

  String get _path => '/authenticators/${Uri.encodeComponent(phone)}';
  Future<dynamic> _ask(String call, Object options, Members query) async {
    final answer = await world.call('POST', '$_path/$call', options is String ? jsonDecode(options) : options, query);
    return options is String ? jsonEncode(answer) : answer;
  }

  /// What navigator.credentials.create() does. Query: origin, of the page or app.
  Future<dynamic> create(Object options, [Members query = const {}]) => _ask('create', options, query);

  /// What navigator.credentials.get() does. Query: origin, credential (an id, where several fit).
  Future<dynamic> get(Object options, [Members query = const {}]) => _ask('get', options, query);

  /// origin: "https://example.com", behaviour: {"userHandleForm": "text", "neverSettles": "create", "breaksSignature": true} and more.
  Future<void> set(Members change) => world.call('PATCH', _path, change);
}

/// Runs a test in a world of its own; when it fails, its error says what was refused and why. Order: as of Understudy.world.
Future<void> inWorld(Future<void> Function(World world) body, [Members order = const {}]) async {
  final world = await (await Understudy.shared()).world(order);
  try {
    await body(world);
  } catch (failure, trace) {
    final refusals = await world.refusals();
    if (refusals.isEmpty) rethrow;
    Error.throwWithStackTrace(StateError('$failure\n\nRefused in the world ${world.name}:\n${refusals.join('\n')}'), trace);
  } finally {
    await world.delete();
  }
}
