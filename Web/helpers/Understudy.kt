// Understudy @VERSION@ for tests in Kotlin on the JVM, 17 or later, with JUnit 5: one file, nothing else to install.
// understudy helper kotlin > app/src/test/kotlin/understudy/Understudy.kt
//   @ExtendWith(Worlds::class)
//   class LoginTest {
//       @Test fun `logs in`(world: World) { val code = world.code("ada@example.test") … }
//   }
package understudy

import java.io.IOException
import java.net.*
import java.net.http.*
import java.time.Duration
import org.junit.jupiter.api.extension.*
import org.opentest4j.*

/** An object of JSON: Map, List, String, Long, Double, Boolean and null. */
typealias Members = Map<String, Any?>

/** The control API said no: the status of HTTP, a title, which for a phone is the SDK's name of the error, and a sentence. */
class Problem(val status: Int, val title: String, val detail: String) : RuntimeException("$status $title: $detail")

/** A running program: that of UNDERSTUDY_URL, or one that [start] began. */
class Understudy(url: String, private val token: String? = null, private val process: Process? = null) :
    AutoCloseable, ExtensionContext.Store.CloseableResource {
    val url = url.trimEnd('/')
    private val client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()

    companion object {
        /** A program of our own on a free port, with options of understudy serve: UNDERSTUDY_BINARY, or else the one on the PATH. */
        fun start(vararg options: String): Understudy {
            val binary = System.getenv("UNDERSTUDY_BINARY") ?: "understudy"
            val process = try {
                ProcessBuilder(binary, "serve", "--port", "0", "--json", *options).redirectError(ProcessBuilder.Redirect.INHERIT).start()
            } catch (failure: IOException) {
                throw IllegalStateException("${failure.message}; set UNDERSTUDY_BINARY, or UNDERSTUDY_URL for one that runs", failure)
            }
            Runtime.getRuntime().addShutdownHook(Thread(process::destroy))
            val line = process.inputStream.bufferedReader().readLine() ?: error("understudy did not start: exit status ${process.waitFor()}")
            val banner = JSON(line).members()
            return Understudy(banner["url"] as String, banner["controlToken"] as String?, process)
        }

        /** The program of UNDERSTUDY_URL, or a new one. */
        fun connect(vararg options: String): Understudy =
            System.getenv("UNDERSTUDY_URL")?.let { Understudy(it, System.getenv("UNDERSTUDY_CONTROL_TOKEN")) } ?: start(*options)
    }
    /** Ends a program that [start] began; leaves any other alone. */
    override fun close() { process?.destroy() }
    /** A new world: world("seed" to 7). Order: name, fixtures, seed, clock (such as "2026-03-04T10:15:00Z"), frozen, from. */
    fun world(vararg order: Pair<String, Any?>): World {
        val made = members(call("POST", "/worlds", mapOf(*order)))
        return World(this, made["name"] as String, made["baseURL"] as String, members(made["urls"]).mapValues { it.value as String })
    }
    /** A call of the control API; what it answers, JSON or text. */
    fun call(method: String, path: String, body: Members? = null, query: Members = emptyMap(), base: String = url): Any? {
        val asked = query.entries.joinToString("&") { "${encode(it.key)}=${encode(it.value)}" }
        val request = HttpRequest.newBuilder(URI("$base/_understudy/v1$path${if (asked.isEmpty()) "" else "?$asked"}"))
            .timeout(Duration.ofSeconds(90)).header("Content-Type", "application/json")
            .method(method, if (body == null) HttpRequest.BodyPublishers.noBody() else HttpRequest.BodyPublishers.ofString(JSON.write(body)))
        token?.let { request.header("Authorization", "Bearer $it") }
        val answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString())
        val said = if ("json" in answer.headers().firstValue("Content-Type").orElse("")) JSON(answer.body()).read() else answer.body()
        if (answer.statusCode() < 400) return said
        val told = said as? Map<*, *> ?: mapOf("title" to "no answer of Understudy", "detail" to said)
        throw Problem(answer.statusCode(), told["title"].toString(), told["detail"].toString())
    }
}

internal fun encode(text: Any?): String = URLEncoder.encode(text.toString(), Charsets.UTF_8).replace("+", "%20")
@Suppress("UNCHECKED_CAST") internal fun members(value: Any?) = value as Members
@Suppress("UNCHECKED_CAST") internal fun list(value: Any?, name: String) = members(value)[name] as List<Members>

/** A complete set of users, keys, mails, time and journal, which no other test sees. urls: base URLs by their path, such as hanko. */
class World(val server: Understudy, val name: String, val url: String, val urls: Map<String, String>) :
    AutoCloseable, ExtensionContext.Store.CloseableResource {
    fun call(method: String, path: String, body: Members? = null, query: Members = emptyMap()) = server.call(method, path, body, query, url)
    /** The newest code that was sent to somebody and is still good, waited for. Query: kind, after, used. */
    fun code(to: String, wait: Int = 10, vararg query: Pair<String, Any?>) = message(to, wait, *query)["code"] as String
    /** The same with id, kind, link and times. */
    fun message(to: String, wait: Int = 10, vararg query: Pair<String, Any?>) = members(call("GET", "/codes", query = mapOf("to" to to, "wait" to wait, *query)))
    fun outbox(vararg query: Pair<String, Any?>) = list(call("GET", "/outbox", query = mapOf(*query)), "messages")
    /** The newest message, whole, with all codes and links in it. Query: to, subject, kind, q, after, explain. */
    fun latest(wait: Int = 10, vararg query: Pair<String, Any?>) = members(call("GET", "/outbox/latest", query = mapOf("wait" to wait, *query)))
    /** A text message of your own back end. Returns it with the code in it. */
    fun sendText(to: String, text: String) = members(call("POST", "/outbox", mapOf("to" to to, "text" to text)))
    fun clearOutbox(vararg query: Pair<String, Any?>) { call("DELETE", "/outbox", query = mapOf(*query)) } // to
    /** Lets time pass in this world alone. */
    fun advance(seconds: Number) { call("POST", "/clock/advance", mapOf("seconds" to seconds)) }
    /** The time of this world: now, frozen, tokenTimes. */
    fun setClock(vararg clock: Pair<String, Any?>) { call("PUT", "/clock", mapOf(*clock)) }
    /** Something goes wrong from now on: fault("answer" to mapOf("status" to 503), "platform" to "hanko"). Returns the fault's name. */
    fun fault(effect: Pair<String, Members>, vararg match: Pair<String, Any?>) =
        members(call("POST", "/faults", mapOf("match" to mapOf(*match), "effect" to mapOf(effect))))["name"] as String
    fun clearFaults() { call("DELETE", "/faults") }
    fun snapshot(name: String) { call("POST", "/snapshots", mapOf("name" to name)) }
    fun restore(name: String) { call("POST", "/snapshots/${encode(name)}/restore") }
    /** A simulated phone that is there, such as ada. */
    fun phone(name: String) = Phone(this, name)
    /** A new and empty phone. Order: owner, mail, model, policy and what else set() knows. */
    fun addPhone(name: String, vararg order: Pair<String, Any?>) = phone(name).also { call("POST", "/phones", mapOf("name" to name, *order)) }
    /** The newest flow, such as a login, as text that is the same in each run. Query: user, platform, since, format (mermaid, svg). */
    fun flow(wait: Int = 5, vararg query: Pair<String, Any?>) = call("GET", "/flows/last", query = mapOf("wait" to wait, "format" to "text", *query)) as String
    /** What was refused in this world and why, the oldest first, a line each. */
    fun refusals() = list(call("GET", "/journal", query = mapOf("refused" to true)), "entries").reversed().map { entry ->
        val asked = members(entry["exchange"])
        "${asked["method"]} ${asked["target"]} → ${asked["status"]}: ${entry["explanation"]}"
    }
    override fun close() { server.call("DELETE", "/worlds/$name") }
}

/** A simulated phone with an app for each platform. What its app or the platform refuses is a [Problem] with the SDK's name for it. */
class Phone(private val world: World, val name: String) {
    private fun tell(method: String, action: String, body: Members? = null, query: Members = emptyMap()) =
        members(world.call(method, "/phones/${encode(name)}$action", body, query))
    /** Has its owner enrolled. Order: platform, pin, protocol and more. */
    fun enrol(vararg order: Pair<String, Any?>) = tell("POST", "/enrol", mapOf(*order))
    /** Takes the text of a QR code, a link or a typed code. */
    fun scan(text: String, vararg order: Pair<String, Any?>) = tell("POST", "/scan", mapOf("text" to text, *order))
    /** The requests that wait for an answer. */
    fun pending(wait: Int = 0) = list(tell("GET", "/pending", query = mapOf("wait" to wait)), "requests")
    /** The first request that waits, waited for. Answer: id, with ("wrong-pin", "biometry"), pin, after, fault, platform, account. */
    fun approve(vararg answer: Pair<String, Any?>, wait: Int = 10) = tell("POST", "/approve", mapOf(*answer), mapOf("wait" to wait))
    fun decline(vararg answer: Pair<String, Any?>, wait: Int = 10) = tell("POST", "/decline", mapOf(*answer), mapOf("wait" to wait))
    /** The header fields with which its app would send a request. Order: platform, method, uriId, body, with, token. */
    fun sign(vararg order: Pair<String, Any?>) = members(tell("POST", "/sign", mapOf(*order))["headers"]).mapValues { it.value as String }
    /** What the owner can do in an app: begin("applogin", "nextauth", "inactivity_timeout" to "120"). */
    fun begin(action: String, platform: String? = null, vararg inputs: Pair<String, String>) =
        tell("POST", "/do", mapOf("action" to action, "platform" to platform, "inputs" to mapOf(*inputs)))
    /** policy: "approve after 3 s", network: "offline", clockSkew: 120 and more. */
    fun set(vararg change: Pair<String, Any?>) { tell("PATCH", "", mapOf(*change)) }
}

/** A world for each test that asks for one, a program for all of them, and refusals in the message of a test that fails. */
class Worlds : ParameterResolver, TestExecutionExceptionHandler {
    private val ours = ExtensionContext.Namespace.create(Understudy::class.java)

    override fun supportsParameter(parameter: ParameterContext, context: ExtensionContext) =
        parameter.parameter.type in setOf(World::class.java, Understudy::class.java)

    override fun resolveParameter(parameter: ParameterContext, context: ExtensionContext): Any {
        val understudy = context.root.getStore(ours).getOrComputeIfAbsent("program", { Understudy.connect() }, Understudy::class.java)
        if (parameter.parameter.type == Understudy::class.java) return understudy
        return context.getStore(ours).getOrComputeIfAbsent("world", { understudy.world() }, World::class.java)
    }

    override fun handleTestExecutionException(context: ExtensionContext, failure: Throwable) {
        val world = context.getStore(ours).get("world", World::class.java)
        val refusals = if (failure is TestAbortedException) null else world?.refusals()
        if (refusals.isNullOrEmpty()) throw failure
        val message = "${failure.message}\n\nRefused in the world ${world.name}:\n${refusals.joinToString("\n")}"
        throw if (failure is AssertionFailedError && failure.isExpectedDefined) AssertionFailedError(message, failure.expected, failure.actual, failure)
        else AssertionFailedError(message, failure)
    }
}

/** As much of JSON as that takes. */
internal class JSON(private val text: String) {
    private var at = 0

    fun members() = members(read())

    fun read(): Any? {
        while (text[at] in " ,:\r\n\t") at++
        return when (text[at++]) {
            '}', ']' -> END
            '"' -> string()
            '{' -> generateSequence { read().takeIf { it != END } }.associate { it as String to read() }
            '[' -> generateSequence { listOf(read()).takeIf { it[0] != END } }.map { it[0] }.toList()
            else -> word(at - 1)
        }
    }

    private fun word(from: Int): Any? {
        while (at < text.length && text[at] !in ",]} \r\n\t") at++
        val word = text.substring(from, at)
        return if (word == "null") null else word.toBooleanStrictOrNull() ?: word.toLongOrNull() ?: word.toDouble()
    }

    private fun string(): String {
        val from = at
        while (text[at] != '"') at += if (text[at] == '\\') 2 else 1
        return Regex("""\\(?:u(....)|(.))""").replace(text.substring(from, at++)) { found ->
            if (found.value[1] == 'u') found.groupValues[1].toInt(16).toChar().toString()
            else "nrtbf".indexOf(found.value[1]).let { if (it < 0) found.groupValues[2] else "\n\r\t\b\u000C"[it].toString() }
        }
    }

    companion object {
        private val END = Any()

        fun write(value: Any?): String = when (value) {
            null, is Number, is Boolean -> value.toString()
            is Map<*, *> -> value.entries.joinToString(",", "{", "}") { "${write(it.key.toString())}:${write(it.value)}" }
            is Iterable<*> -> value.joinToString(",", "[", "]") { write(it) }
            else -> value.toString().map { if (it < ' ' || it in "\"\\") "\\u%04x".format(it.code) else it }.joinToString("", "\"", "\"")
        }
    }
}
