// Understudy @VERSION@ for tests in Java 17 or later with JUnit 5: one file, nothing else to install.
// understudy helper java > src/test/java/understudy/Understudy.java
//   @ExtendWith(Understudy.Worlds.class)
//   class LoginTest {
//       @Test void logsIn(World world) { String code = world.code("ada@example.test"); … }
//   }
package understudy;

import java.io.IOException;
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
    @Override public void close() { if (process != null) process.destroy(); }
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
    /** A complete set of users, keys, mails, time and journal, which no other test sees. urls: base URLs by their path, such as hanko. */
    public record World(Understudy server, String name, String url, Map<String, String> urls) implements AutoCloseable, ExtensionContext.Store.CloseableResource {
        public Object call(String method, String path, Object body, Object... query) { return server.call(method, path, body, pairs(query), url); }
        private Map<String, Object> post(String path, Object... body) { return JSON.object(call("POST", path, pairs(body))); }
        /** The newest code that was sent to somebody and is still good, waited for. Query: wait, kind, after, used. */
        public String code(String to, Object... query) { return (String) message(to, query).get("code"); }
        public Map<String, Object> message(String to, Object... query) { return JSON.object(call("GET", "/codes", null, "to", to, "wait", 10, query)); }
        public List<Map<String, Object>> outbox(Object... query) { return JSON.list(call("GET", "/outbox", null, query), "messages"); }
        /** The newest message, whole, with all codes and links in it. Query: to, wait, subject, kind, q, after, explain. */
        public Map<String, Object> latest(Object... query) { return JSON.object(call("GET", "/outbox/latest", null, query)); }
        public Map<String, Object> sendText(String to, String text) { return post("/outbox", "to", to, "text", text); } // of your own back end
        public void clearOutbox(Object... query) { call("DELETE", "/outbox", null, query); } // to
        public void advance(double seconds) { post("/clock/advance", "seconds", seconds); }
        public void setClock(Object... clock) { call("PUT", "/clock", pairs(clock)); } // now, frozen, tokenTimes
        /** Something goes wrong from now on: fault("answer", Map.of("status", 503), "platform", "hanko"). Returns the fault's name. */
        public String fault(String effect, Map<String, ?> how, Object... match) { return (String) post("/faults", "match", pairs(match), "effect", pairs(effect, how)).get("name"); }
        public void clearFaults() { call("DELETE", "/faults", null); }
        public void snapshot(String name) { post("/snapshots", "name", name); }
        public void restore(String name) { call("POST", "/snapshots/" + encode(name) + "/restore", null); }
        public Phone phone(String name) { return new Phone(this, name); }
        /** A new and empty phone. Order: owner, mail, model, policy and what else set() knows. */
        public Phone addPhone(String name, Object... order) { return phone((String) post("/phones", "name", name, order).get("name")); }
        /** The newest flow, such as a login, as text that is the same in each run. Query: wait, user, platform, since, format (mermaid, svg). */
        public String flow(Object... query) { return (String) call("GET", "/flows/last", null, "wait", 5, "format", "text", query); }
        /** What was refused in this world and why, the oldest first, a line each. */
        public List<String> refusals() {
            var lines = new LinkedList<String>();
            for (var entry : JSON.list(call("GET", "/journal", null, "refused", true), "entries")) {
                var asked = JSON.object(entry.get("exchange"));
                lines.addFirst(asked.get("method") + " " + asked.get("target") + " → " + asked.get("status") + ": " + entry.get("explanation"));
            }
            return lines;
        }
        @Override public void close() { server.call("DELETE", "/worlds/" + name, null, pairs(), server.url); }
    }
    /** A simulated phone with an app for each platform. What its app or the platform refuses is a Problem with the SDK's name for it. */
    public record Phone(World world, String name) {
        private Map<String, Object> tell(String method, String action, Map<String, Object> body) {
            var query = body.containsKey("wait") ? new Object[] {"wait", body.remove("wait")} : new Object[0];
            return JSON.object(world.call(method, "/phones/" + encode(name) + action, method.equals("GET") ? null : body, query));
        }
        public Map<String, Object> enrol(Object... order) { return tell("POST", "/enrol", pairs(order)); } // platform, pin, protocol and more
        /** Takes the text of a QR code, a link or a typed code. */
        public Map<String, Object> scan(String text, Object... order) { return tell("POST", "/scan", pairs("text", text, order)); }
        public List<Map<String, Object>> pending(Object... query) { return JSON.list(tell("GET", "/pending", pairs(query)), "requests"); }
        /** The first request that waits, waited for. Answer: wait, id, with ("wrong-pin", "biometry"), pin, after, fault. */
        public Map<String, Object> approve(Object... answer) { return tell("POST", "/approve", pairs("wait", 10, answer)); }
        public Map<String, Object> decline(Object... answer) { return tell("POST", "/decline", pairs("wait", 10, answer)); }
        /** The header fields with which its app would send a request. Order: platform, method, uriId, body, with, token. */
        public Map<String, String> sign(Object... order) { return JSON.object(tell("POST", "/sign", pairs(order)).get("headers")); }
        /** What the owner can do in an app: begin("applogin", "nextauth", "inactivity_timeout", "120"). */
        public Map<String, Object> begin(String action, String platform, Object... inputs) {
            return tell("POST", "/do", pairs("action", action, "platform", platform, "inputs", pairs(inputs)));
        }
        public void set(Object... change) { tell("PATCH", "", pairs(change)); } // policy, network, clockSkew and more
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
        static List<Map<String, Object>> list(Object value, String name) { return JSON.<List<Map<String, Object>>>object(value).get(name); }
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
