// Understudy @VERSION@ for tests in Java 17 or later with JUnit 5: one file, nothing else to install.
// understudy helper java > src/test/java/understudy/Understudy.java
//   @ExtendWith(Understudy.Worlds.class)
//   class LoginTest {
//       @Test void logsIn(World world) { String code = world.code("ada@example.com"); … }
//   }
package understudy;

import java.io.IOException;
import java.lang.reflect.*;
import java.net.*;
import java.net.http.*;
import java.time.Duration;
import java.util.*;
import java.util.regex.*;
import java.util.stream.*;
import org.junit.jupiter.api.extension.*;
import org.opentest4j.*;
import static java.nio.charset.StandardCharsets.UTF_8;

/** A running program: that of UNDERSTUDY_URL, or one that start() began. What takes Object... takes names and values in turn. */
public record Understudy(String url, String token, Process process) implements AutoCloseable, ExtensionContext.Store.CloseableResource {
    private static final HttpClient CLIENT = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    public Understudy { url = url.replaceAll("/$", ""); }
    /** A program of our own on a free port, with options of understudy serve: UNDERSTUDY_BINARY, or else the one on the PATH. */
    public static Understudy start(String... options) {
        var command = new ArrayList<>(List.of(System.getenv().getOrDefault("UNDERSTUDY_BINARY", "understudy"), "serve", "--port", "0", "--json"));
        command.addAll(List.of(options));
        try {
            var process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
            var line = process.inputReader(UTF_8).readLine();
            if (line == null) throw new IOException("exit status " + process.onExit().join().exitValue());
            var banner = JSON.<String>object(new JSON(line).read());
            return new Understudy(banner.get("url"), banner.get("controlToken"), process);
        } catch (IOException failure) {
            throw new IllegalStateException("understudy did not start; set UNDERSTUDY_BINARY, or UNDERSTUDY_URL for one that runs", failure);
        }
    }
    /** The program of UNDERSTUDY_URL, or a new one. */
    public static Understudy connect(String... options) {
        var url = System.getenv("UNDERSTUDY_URL");
        return url == null ? start(options) : new Understudy(url, System.getenv("UNDERSTUDY_CONTROL_TOKEN"), null);
    }
    /** Ends a program that start() began; leaves any other alone. */
    public void stop() { if (process != null) process.destroy(); }
    @Override public void close() { stop(); }
    /** A new world: world("seed", 7). Order: name, fixtures, seed, clock (such as "2026-03-04T10:15:00Z"), frozen, from. */
    public World world(Object... order) {
        var made = JSON.object(call("POST", "/worlds", pairs(order), pairs(), url));
        return new World(this, (String) made.get("name"), (String) made.get("baseURL"), JSON.object(made.get("urls")));
    }
    /** A call of the control API; what it answers, of JSON as Map, List, String, Long, Double, Boolean and null, else text. */
    public Object call(String method, String path, Object body, Map<String, ?> query, String base) {
        var asked = query.entrySet().stream().map(each -> encode(each.getKey()) + "=" + encode(each.getValue())).collect(Collectors.joining("&"));
        var request = HttpRequest.newBuilder(URI.create(base + "/_understudy/v1" + path + (asked.isEmpty() ? "" : "?" + asked)))
            .timeout(Duration.ofSeconds(90)).header("Content-Type", "application/json").header("Authorization", "Bearer " + token)
            .method(method, body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(JSON.write(body)));
        try {
            var answer = CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
            var isJSON = answer.headers().firstValue("Content-Type").orElse("").contains("json");
            var said = isJSON ? new JSON(answer.body()).read() : answer.body();
            if (answer.statusCode() < 400) return said;
            var told = isJSON ? JSON.<String>object(said) : Map.of("title", "no answer of Understudy", "detail", answer.body());
            throw new Problem(answer.statusCode(), told.get("title"), told.get("detail"));
        } catch (IOException | InterruptedException failure) {
            throw new IllegalStateException("understudy did not answer at " + request.build().uri() + ": " + failure, failure);
        }
    }
    private static Map<String, Object> pairs(Object... namesAndValues) {
        var flat = Stream.of(namesAndValues).flatMap(each -> each instanceof Object[] more ? Stream.of(more) : Stream.of(each)).toArray();
        var members = new LinkedHashMap<String, Object>();
        for (int at = 0; at + 1 < flat.length; at += 2) members.put((String) flat[at], flat[at + 1]);
        return members;
    }
    private static String encode(Object text) { return URLEncoder.encode(String.valueOf(text), UTF_8).replace("+", "%20"); }
    /** The control API said no: the status of HTTP, a title, which for a phone is the SDK's name of the error, and a sentence. */
    @SuppressWarnings("serial") public static final class Problem extends RuntimeException {
        public final int status; public final String title, detail;
        Problem(int status, String title, String detail) {
            super(status + " " + title + ": " + detail);
            this.status = status; this.title = title; this.detail = detail;
        }
    }
    /** What the control API answers; what it leaves out is null, or an empty list. Times are texts of RFC 3339. */
    public record Code(long id, String kind, String to, String code, String link, String sentAt, String expiresAt, String usedAt, String source) {}
    public record Address(String address, String name) {}
    public record Message(long id, String channel, String kind, Address from, Address to, String subject, String text, String code, String link, String sentAt,
        String expiresAt, String usedAt, String source, boolean html, List<Attachment> attachments, List<String> remarks, List<FoundCode> codes, List<Link> links,
        List<Map<String, Object>> explanation) {}
    /** A mail with the text of its HTML part. */
    public record Mail(long id, String kind, Address from, Address to, String subject, String text, String html, String code, String link, String sentAt,
        String expiresAt, String usedAt, String source, List<Attachment> attachments, List<String> remarks, List<FoundCode> codes, List<Link> links) {}
    public record Attachment(long number, String name, String type, long size) {}
    public record FoundCode(String code, String context, long score, List<String> parts) {}
    public record Link(String link, String text, String goal, long score) {}
    public record Fact(String name, String value) {}
    public record Step(String state, String at) {}
    public record Notice(String url, String at, Long status, String failure, Number duration) {}
    public record Transaction(String id, String platform, String kind, String title, String user, String state, boolean open, String createdAt, String expiresAt,
        Long secondsLeft, String code, String page, List<Fact> facts, List<String> actions, List<Step> steps, List<Notice> notices) {}
    public record Action(String name, String title, List<Map<String, Object>> inputs, boolean isFinal) {}
    public record PlatformRecord(String id, String platform, String kind, String title, String user, String state, String createdAt, List<Fact> facts, String code,
        List<Action> actions, List<Step> steps) {}
    public record MintedToken(String token, String platform, String kind, String format, String expiresAt, boolean isRegistered, String use, String flaw,
        String explanation, Map<String, Object> header, Map<String, Object> claims) {}
    public record PhoneReport(String kind, String id, String code, String detail) {}
    public record PhoneRequest(String id, String platform, String account, String kind, String title, String message, List<Fact> details, List<String> ways) {}

    /** A complete set of users, keys, mails, time and journal, which no other test sees. urls: base URLs by their path, such as hanko. */
    public record World(Understudy server, String name, String url, Map<String, String> urls) implements AutoCloseable, ExtensionContext.Store.CloseableResource {
        public Object call(String method, String path, Object body, Object... query) { return server.call(method, path, body, pairs(query), url); }
        private Object post(String path, Object... body) { return call("POST", path, pairs(body)); }
        /** The newest code that was sent to somebody and is still good, waited for. Query: wait, kind, after, used. */
        public String code(String to, Object... query) { return message(to, query).code(); }
        /** The same with id, kind, link and times. */
        public Code message(String to, Object... query) { return JSON.as(Code.class, call("GET", "/codes", null, "to", to, "wait", 10, query)); }
        /** The newest mail to somebody, whole, waited for: html is the text of its HTML part. Query: wait, subject, kind, q, after. */
        public Mail mail(String to, Object... query) {
            var mail = JSON.object(call("GET", "/outbox/latest", null, "wait", 10, "to", to, query));
            mail.put("html", mail.get("html") == Boolean.TRUE ? call("GET", "/outbox/" + mail.get("id") + "/html", null) : null);
            return JSON.as(Mail.class, mail);
        }
        /** All messages, the newest first. Query: to, subject, kind, q, after, limit, wait. */
        public List<Message> outbox(Object... query) { return JSON.all(Message.class, call("GET", "/outbox", null, query), "messages"); }
        /** The newest message, whole, with all codes and links in it. Query: to, wait, subject, kind, q, after, explain. */
        public Message latest(Object... query) { return JSON.as(Message.class, call("GET", "/outbox/latest", null, "wait", 10, query)); }
        /** A text message of your own back end, from a number or a name if one is given. Returns it with the code in it. */
        public Message sendText(String to, String text, String... from) {
            return JSON.as(Message.class, post("/outbox", "to", to, "text", text, "from", from.length == 0 ? null : from[0]));
        }
        public void clearOutbox(String... to) { call("DELETE", "/outbox", null, to.length == 0 ? new Object[0] : new Object[] {"to", to[0]}); }
        /** Lets time pass in this world alone. */
        public void advance(double seconds) { post("/clock/advance", "seconds", seconds); }
        public void setClock(Object... clock) { call("PUT", "/clock", pairs(clock)); } // now, frozen, tokenTimes
        /** Something goes wrong from now on: fault("down", Map.of("platform", "hanko"), "answer", Map.of("status", 503)). A name of null is made up. */
        public String fault(String name, Map<String, ?> match, Object... effect) {
            return (String) JSON.object(post("/faults", "name", name, "match", match, "effect", pairs(effect))).get("name");
        }
        public void clearFaults() { call("DELETE", "/faults", null); }
        public void snapshot(String name) { post("/snapshots", "name", name); }
        public void restore(String name) { post("/snapshots/" + encode(name) + "/restore"); }
        /** A simulated phone that is there, such as ada. */
        public Phone phone(String name) { return new Phone(this, name); }
        /** A new and empty phone. Order: owner, mail, model, policy and what else set() knows. */
        public Phone addPhone(String name, Object... order) { post("/phones", "name", name, order); return phone(name); }
        /** What keeps the passkeys of a phone that is there, such as ada. */
        public Authenticator authenticator(String phone) { return new Authenticator(this, phone); }
        /** A token without its flow: mint("hanko", "session", "user", "ada@example.com").token(). Order: user, client, scope, claims, lifetime, flaw, key. */
        public MintedToken mint(String platform, String kind, Object... order) {
            return JSON.as(MintedToken.class, post("/tokens", "platform", platform, "kind", kind, order));
        }
        /** What waits for a decision or did lately, the newest first. Query: platform, state, user, open, limit, wait. */
        public List<Transaction> transactions(Object... query) { return JSON.all(Transaction.class, call("GET", "/transactions", null, query), "transactions"); }
        /** Does with a transaction what a person would do, by an action that it names. */
        public Transaction decide(String id, String action) { return JSON.as(Transaction.class, post("/transactions/" + encode(id) + "/" + action)); }
        /** What platforms keep, such as users and devices, the newest first. Query: platform, kind, user, state, limit, wait. */
        public List<PlatformRecord> records(Object... query) { return JSON.all(PlatformRecord.class, call("GET", "/records", null, query), "records"); }
        public PlatformRecord addRecord(String platform, String kind, Object... inputs) {
            return JSON.as(PlatformRecord.class, post("/records", "platform", platform, "kind", kind, "inputs", pairs(inputs)));
        }
        /** Does to a record what the console offers, by an action that it names; null when it is gone then. */
        public PlatformRecord changeRecord(String platform, String id, String action, Object... inputs) {
            return JSON.as(PlatformRecord.class, post("/records/" + platform + "/" + encode(id) + "/" + action, "inputs", pairs(inputs)));
        }
        /** The newest flow, such as a login, as text that is the same in each run. Query: wait, user, platform, since, format (mermaid, svg). */
        public String flow(Object... query) { return (String) call("GET", "/flows/last", null, "wait", 5, "format", "text", query); }
        /** What was refused in this world and why, the oldest first, a line each. */
        public List<String> refusals() {
            var lines = new LinkedList<String>();
            for (var entry : JSON.<List<Map<String, Object>>>object(call("GET", "/journal", null, "refused", true)).get("entries")) {
                var asked = JSON.object(entry.get("exchange"));
                lines.addFirst(asked.get("method") + " " + asked.get("target") + " → " + asked.get("status") + ": " + entry.get("explanation"));
            }
            return lines;
        }
        public void delete() { server.call("DELETE", "/worlds/" + name, null, pairs(), server.url); }
        @Override public void close() { delete(); }
    }
    /** A simulated phone with an app for each platform. What its app or the platform refuses is a Problem with the SDK's name for it. */
    public record Phone(World world, String name) {
        private Object tell(String method, String action, Map<String, Object> body) {
            var query = body.containsKey("wait") ? new Object[] {"wait", body.remove("wait")} : new Object[0];
            return world.call(method, "/phones/" + encode(name) + action, method.equals("GET") ? null : body, query);
        }
        private PhoneReport report(String action, Object... body) { return JSON.as(PhoneReport.class, tell("POST", action, pairs(body))); }
        /** Has its owner enrolled. Order: platform, pin, protocol and more. */
        public PhoneReport enrol(Object... order) { return report("/enrol", order); }
        /** Takes the text of a QR code, a link or a typed code. */
        public PhoneReport scan(String text, Object... order) { return report("/scan", "text", text, order); }
        /** The requests that wait for an answer. Query: wait. */
        public List<PhoneRequest> pending(Object... query) { return JSON.all(PhoneRequest.class, tell("GET", "/pending", pairs(query)), "requests"); }
        /** The first request that waits, waited for. Answer: wait, id, with ("wrong-pin", "biometry"), pin, after, fault, platform, account. */
        public PhoneReport approve(Object... answer) { return report("/approve", "wait", 10, answer); }
        /** The same with no. Answer: wait, id, reason, platform, account and more. */
        public PhoneReport decline(Object... answer) { return report("/decline", "wait", 10, answer); }
        /** The header fields with which its app would send a request. Order: platform, method, uriId, body, with, token. */
        public Map<String, String> sign(Object... order) { return JSON.object(JSON.object(tell("POST", "/sign", pairs(order))).get("headers")); }
        /** What the owner can do in an app: begin("applogin", "nextauth", "inactivity_timeout", "120"). */
        public PhoneReport begin(String action, String platform, Object... inputs) {
            return report("/do", "action", action, "platform", platform, "inputs", pairs(inputs));
        }
        public void set(Object... change) { tell("PATCH", "", pairs(change)); } // policy, network, clockSkew and more
    }
    /** Passkeys without a browser: it takes the options of any relying party and answers with the credential; as JSON text to JSON text. */
    public record Authenticator(World world, String phone) {
        private Map<String, Object> ask(String call, Object options, Object... query) {
            return JSON.object(world.call("POST", "/authenticators/" + encode(phone) + "/" + call, options, query));
        }
        /** What navigator.credentials.create() does. Query: origin, of the page or app. */
        public String create(String options, Object... query) { return JSON.write(ask("create", new JSON(options).read(), query)); }
        public Map<String, Object> create(Map<String, ?> options, Object... query) { return ask("create", options, query); }
        /** What navigator.credentials.get() does. Query: origin, credential (an id, where several fit). */
        public String get(String options, Object... query) { return JSON.write(ask("get", new JSON(options).read(), query)); }
        public Map<String, Object> get(Map<String, ?> options, Object... query) { return ask("get", options, query); }
        /** set("origin", "https://example.com", "behaviour", Map.of("userHandleForm", "text", "neverSettles", "create", "breaksSignature", true)) and more. */
        public void set(Object... change) { world.call("PATCH", "/authenticators/" + encode(phone), pairs(change)); }
    }
    /** A world for each test that asks for one, a program for all of them, and refusals in the message of a test that fails. */
    public static final class Worlds implements ParameterResolver, TestExecutionExceptionHandler {
        private static final ExtensionContext.Namespace OURS = ExtensionContext.Namespace.create(Understudy.class);
        @Override public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return Set.of(World.class, Understudy.class).contains(parameter.getParameter().getType());
        }
        @Override public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            var understudy = context.getRoot().getStore(OURS).getOrComputeIfAbsent("program", key -> connect(), Understudy.class);
            return parameter.getParameter().getType() == Understudy.class ? understudy
                : context.getStore(OURS).getOrComputeIfAbsent("world", key -> understudy.world(), World.class);
        }
        @Override public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
            var world = context.getStore(OURS).get("world", World.class);
            if (world == null || failure instanceof TestAbortedException || world.refusals().isEmpty()) throw failure;
            var message = failure.getMessage() + "\n\nRefused in the world " + world.name + ":\n" + String.join("\n", world.refusals());
            throw failure instanceof AssertionFailedError compared && compared.isExpectedDefined()
                ? new AssertionFailedError(message, compared.getExpected(), compared.getActual(), failure) : new AssertionFailedError(message, failure);
        }
    }
    /** As much of JSON as that takes. */
    private static final class JSON {
        private static final Pattern ESCAPE = Pattern.compile("\\\\(?:u(....)|(.))");
        private static final Object END = new Object();
        private final String text;
        private int at;
        private JSON(String text) { this.text = text; }
        @SuppressWarnings("unchecked") static <Value> Map<String, Value> object(Object value) { return (Map<String, Value>) value; }
        @SuppressWarnings("unchecked") static <Shape> Shape as(Class<Shape> shape, Object value) { return (Shape) read(shape, value); }
        static <Shape> List<Shape> all(Class<Shape> shape, Object value, String name) {
            return JSON.<List<Object>>object(value).get(name).stream().map(each -> as(shape, each)).toList();
        }
        private static Object read(Type type, Object value) {
            if (type instanceof ParameterizedType of && of.getRawType() == List.class)
                return value == null ? List.of() : ((List<?>) value).stream().map(each -> read(of.getActualTypeArguments()[0], each)).toList();
            if (type == boolean.class) return value == Boolean.TRUE;
            if (!(type instanceof Class<?> shape) || !shape.isRecord()) return value;
            if (!(value instanceof Map<?, ?> members)) return null; // gone
            var parts = Stream.of(shape.getRecordComponents()).map(part -> read(part.getGenericType(),
                members.get(part.getName().equals("isFinal") ? "final" : part.getName()))); // a word of Java
            try {
                return shape.getDeclaredConstructors()[0].newInstance(parts.toArray());
            } catch (ReflectiveOperationException failure) {
                throw new IllegalStateException("no " + shape.getSimpleName() + ": " + value, failure);
            }
        }
        static String write(Object value) {
            if (value instanceof Map<?, ?> members)
                return members.entrySet().stream().map(each -> write(each.getKey()) + ":" + write(each.getValue())).collect(Collectors.joining(",", "{", "}"));
            if (value instanceof Collection<?> values) return values.stream().map(JSON::write).collect(Collectors.joining(",", "[", "]"));
            if (value == null || value instanceof Number || value instanceof Boolean) return String.valueOf(value);
            return value.toString().chars().mapToObj(mark -> mark >= ' ' && mark != '"' && mark != '\\' ? Character.toString(mark) : String.format("\\u%04x", mark))
                .collect(Collectors.joining("", "\"", "\""));
        }
        Object read() {
            while (" ,:\r\n\t".indexOf(text.charAt(at)) >= 0) at++;
            int from = at;
            switch (text.charAt(at++)) {
                case '}', ']': return END;
                case '"': return string();
                case '{':
                    var members = new LinkedHashMap<String, Object>();
                    for (var name = read(); name != END; name = read()) members.put((String) name, read());
                    return members;
                case '[': var values = new ArrayList<>();
                    for (var value = read(); value != END; value = read()) values.add(value);
                    return values;
            }
            while (at < text.length() && ",]} \r\n\t".indexOf(text.charAt(at)) < 0) at++;
            var word = text.substring(from, at);
            return word.equals("null") ? null : "true false".contains(word) ? (Object) Boolean.valueOf(word) : word.matches("-?\\d{1,18}") ? (Object) Long.valueOf(word) : Double.valueOf(word);
        }
        private String string() {
            int from = at;
            while (text.charAt(at) != '"') at += text.charAt(at) == '\\' ? 2 : 1;
            return ESCAPE.matcher(text.substring(from, at++)).replaceAll(found -> Matcher.quoteReplacement(found.group(1) != null
                ? Character.toString(Integer.parseInt(found.group(1), 16)) : found.group(2).equals("/") ? "/" : found.group().translateEscapes()));
        }
    }
}
