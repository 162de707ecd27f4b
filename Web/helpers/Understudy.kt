// Understudy @VERSION@ for tests in Kotlin 2.0 or later, on the JVM and on Android (API 23): one file, nothing else to install.
// BEGIN junit5
// understudy helper kotlin > app/src/test/kotlin/understudy/Understudy.kt
//   @ExtendWith(Worlds::class)                             // JUnit 5; for JUnit 4 there is understudy helper kotlin-junit4
//   class LoginTest {
//       @Test fun `logs in`(world: World) { val code = world.code("ada@example.com") … }
//   }
// END
// BEGIN junit4
// understudy helper kotlin-junit4 > app/src/androidTest/kotlin/understudy/Understudy.kt
//   class LoginTest {                                      // JUnit 4; for JUnit 5 there is understudy helper kotlin
//       @get:Rule val understudy = WorldRule()
//       @Test fun logsIn() { val code = understudy.world.code("ada@example.com") … }
//   }
// END
// On Android UNDERSTUDY_URL is an argument of the test runner: testInstrumentationRunnerArguments["UNDERSTUDY_URL"] = "http://10.0.2.2:8420"
package understudy

import java.io.IOException
import java.net.HttpURLConnection
import java.net.Proxy
import java.net.URL
import java.net.URLEncoder
import kotlin.concurrent.thread
import kotlin.coroutines.suspendCoroutine
// BEGIN junit5
import org.junit.jupiter.api.extension.*
import org.opentest4j.*
// END
// BEGIN junit4
import org.junit.AssumptionViolatedException
import org.junit.rules.TestRule
import org.junit.runner.Description
import org.junit.runners.model.Statement
// END

/** An object of JSON: Map, List, String, Long, Double, Boolean and null. */
typealias Members = Map<String, Any?>

/** The control API said no: the status of HTTP, a title, which for a phone is the SDK's name of the error, and a sentence. */
class Problem(val status: Int, val title: String, val detail: String) : RuntimeException("$status $title: $detail")

/** A running program: that of UNDERSTUDY_URL, or one that [start] began. */
class Understudy(url: String, private val token: String? = null, private val process: Process? = null) : AutoCloseable {
    val url = url.trimEnd('/')
    companion object {
        /** A program of our own on a free port, with options of understudy serve: UNDERSTUDY_BINARY, or else the one on the PATH. */
        fun start(vararg options: String): Understudy {
            val process = try {
                ProcessBuilder(System.getenv("UNDERSTUDY_BINARY") ?: "understudy", "serve", "--port", "0", "--json", *options).start()
            } catch (failure: IOException) {
                throw IllegalStateException("${failure.message}; set UNDERSTUDY_BINARY, or UNDERSTUDY_URL for one that runs", failure)
            }
            Runtime.getRuntime().addShutdownHook(Thread(process::destroy))
            thread(isDaemon = true) { process.errorStream.copyTo(System.err) }
            val line = process.inputStream.bufferedReader().readLine() ?: error("understudy did not start: exit status ${process.waitFor()}")
            val banner = JSON(line).members()
            return Understudy(banner["url"] as String, banner["controlToken"] as String?, process)
        }
        /** The program of UNDERSTUDY_URL, or a new one. */
        fun connect(vararg options: String): Understudy =
            setting("UNDERSTUDY_URL")?.let { Understudy(it, setting("UNDERSTUDY_CONTROL_TOKEN")) } ?: start(*options)
        /** Of the environment, or on Android an argument of its test runner. */
        private fun setting(name: String): String? = System.getenv(name) ?: try {
            val arguments = Class.forName("androidx.test.platform.app.InstrumentationRegistry").getMethod("getArguments").invoke(null)
            arguments.javaClass.getMethod("getString", String::class.java).invoke(arguments, name) as String?
        } catch (_: ReflectiveOperationException) {
            null
        }
    }
    /** Ends a program that [start] began; leaves any other alone. */
    fun stop() { process?.destroy() }
    override fun close() = stop()
    /** A new world: world("seed" to 7). Order: name, fixtures, seed, clock (such as "2026-03-04T10:15:00Z"), frozen, from. */
    fun world(vararg order: Pair<String, Any?>): World {
        val made = members(call("POST", "/worlds", mapOf(*order)))
        return World(this, made["name"] as String, made["baseURL"] as String, members(made["urls"]).mapValues { it.value as String })
    }
    /** A call of the control API; what it answers, JSON or text. */
    fun call(method: String, path: String, body: Members? = null, query: Members = emptyMap(), base: String = url): Any? {
        val asked = query.entries.filter { it.value != null }.joinToString("&") { "${encode(it.key)}=${encode(it.value)}" }
        // What Android has for HTTP. It knows no PATCH, for which POST does.
        val connection = URL("$base/_understudy/v1$path${if (asked.isEmpty()) "" else "?$asked"}").openConnection(Proxy.NO_PROXY) as HttpURLConnection
        connection.requestMethod = if (method == "PATCH") "POST" else method
        connection.connectTimeout = 10_000
        connection.readTimeout = 90_000
        // A connection that was kept is asked twice when it breaks.
        for ((name, value) in listOf("Content-Type" to "application/json", "Connection" to "close")) connection.setRequestProperty(name, value)
        token?.let { connection.setRequestProperty("Authorization", "Bearer $it") }
        if (method == "POST" || body != null) {
            connection.doOutput = true
            connection.outputStream.use { it.write((if (body == null) "" else JSON.write(body)).toByteArray()) }
        }
        val status = connection.responseCode
        val text = (if (status < 400) connection.inputStream else connection.errorStream)?.use { it.readBytes().toString(Charsets.UTF_8) } ?: ""
        val said = if ("json" in (connection.contentType ?: "")) JSON(text).read() else text
        if (status < 400) return said
        val told = said as? Map<*, *> ?: mapOf("title" to "no answer of Understudy", "detail" to said)
        throw Problem(status, told["title"].toString(), told["detail"].toString())
    }
}

internal fun encode(text: Any?): String = URLEncoder.encode(text.toString(), "UTF-8").replace("+", "%20")
@Suppress("UNCHECKED_CAST") internal fun members(value: Any?) = value as Members
internal fun <Shape> list(value: Any?, name: String, shape: (Any?) -> Shape) = (members(value)[name] as List<*>? ?: emptyList<Any?>()).map(shape)

/** What the control API answers, by its names and as [members]. Times are texts of RFC 3339. */
abstract class Answer(value: Any?) {
    val members: Members = members(value).withDefault { null }
    override fun toString() = members.toString()
}
class Code(value: Any?) : Answer(value) {
    val id: Long by members; val kind: String by members; val to: String by members; val code: String? by members; val link: String? by members
    val sentAt: String by members; val expiresAt: String? by members; val usedAt: String? by members; val source: String by members
}
class Address(value: Any?) : Answer(value) { val address: String by members; val name: String? by members }
open class Message(value: Any?) : Answer(value) {
    val id: Long by members; val channel: String by members; val kind: String by members; val subject: String by members; val text: String by members
    val code: String? by members; val link: String? by members; val sentAt: String by members; val expiresAt: String? by members
    val usedAt: String? by members; val source: String by members; val from get() = Address(members["from"]); val to get() = Address(members["to"])
    val links get() = list(members, "links", ::Link); val codes get() = list(members, "codes") { members(it)["code"] as String }
}
class Link(value: Any?) : Answer(value) { val link: String by members; val text: String by members; val goal: String? by members }
/** A mail with the text of its HTML part. */
class Mail(value: Any?, val html: String?) : Message(value)
class Fact(value: Any?) : Answer(value) { val name: String by members; val value: String by members }
class Transaction(value: Any?) : Answer(value) {
    val id: String by members; val platform: String by members; val kind: String by members; val title: String by members; val user: String? by members
    val state: String by members; val open: Boolean by members; val createdAt: String by members; val expiresAt: String by members
    val code: String? by members; val page: String? by members; val actions: List<String> by members; val facts get() = list(members, "facts", ::Fact)
}
class PlatformRecord(value: Any?) : Answer(value) {
    val id: String by members; val platform: String by members; val kind: String by members; val title: String by members; val user: String? by members
    val state: String by members; val createdAt: String by members; val code: String? by members; val facts get() = list(members, "facts", ::Fact)
    val actions get() = list(members, "actions") { (it as? String) ?: members(it)["name"] as String }
}
class MintedToken(value: Any?) : Answer(value) {
    val token: String by members; val platform: String by members; val kind: String by members; val format: String by members; val use: String by members
    val expiresAt: String? by members; val isRegistered: Boolean by members; val flaw: String? by members; val explanation: String? by members
    val header: Members? by members; val claims: Members? by members
}
class PhoneReport(value: Any?) : Answer(value) { val kind: String by members; val id: String by members; val code: String? by members; val detail: String by members }
class PhoneRequest(value: Any?) : Answer(value) {
    val id: String by members; val platform: String by members; val account: String? by members; val kind: String by members; val title: String by members
    val message: String by members; val ways: List<String> by members; val details get() = list(members, "details", ::Fact)
}

/** A complete set of users, keys, mails, time and journal, which no other test sees. urls: base URLs by their path, such as hanko. */
class World(val server: Understudy, val name: String, val url: String, val urls: Map<String, String>) : AutoCloseable {
    fun call(method: String, path: String, body: Members? = null, query: Members = emptyMap()) = server.call(method, path, body, query, url)
    private fun get(path: String, vararg query: Pair<String, Any?>) = call("GET", path, query = mapOf(*query))
    private fun post(path: String, vararg body: Pair<String, Any?>) = call("POST", path, mapOf(*body))
    /** The newest code that was sent to somebody and is still good, waited for. Query: wait, kind, after, used. */
    fun code(to: String, vararg query: Pair<String, Any?>) = message(to, *query).members["code"] as String
    /** The same with id, kind, link and times. */
    fun message(to: String, vararg query: Pair<String, Any?>) = Code(get("/codes", "to" to to, "wait" to 10, *query))
    /** The newest mail to somebody, whole, waited for: html is the text of its HTML part. Query: wait, subject, kind, q, after. */
    fun mail(to: String, vararg query: Pair<String, Any?>): Mail {
        val mail = latest("to" to to, *query).members
        return Mail(mail, if (mail["html"] == true) get("/outbox/${mail["id"]}/html") as String else null)
    }
    /** All messages, the newest first. Query: to, subject, kind, q, after, limit, wait. */
    fun outbox(vararg query: Pair<String, Any?>) = list(get("/outbox", *query), "messages", ::Message)
    /** The newest message, whole, with all codes and links in it. Query: to, wait, subject, kind, q, after, explain. */
    fun latest(vararg query: Pair<String, Any?>) = Message(get("/outbox/latest", "wait" to 10, *query))
    /** A text message of your own back end. Returns it with the code in it. */
    fun sendText(to: String, text: String, from: String? = null) = Message(post("/outbox", "to" to to, "text" to text, "from" to from))
    fun clearOutbox(to: String? = null) { call("DELETE", "/outbox", query = mapOf("to" to to)) }
    /** Lets time pass in this world alone. */
    fun advance(seconds: Number) { post("/clock/advance", "seconds" to seconds) }
    /** The time of this world: now, frozen, tokenTimes. */
    fun setClock(vararg clock: Pair<String, Any?>) { call("PUT", "/clock", mapOf(*clock)) }
    /** Something goes wrong from now on: fault("down", mapOf("platform" to "hanko"), "answer" to mapOf("status" to 503)). A name of null is made up. */
    fun fault(name: String?, match: Members, vararg effect: Pair<String, Members>) =
        members(post("/faults", "name" to name, "match" to match, "effect" to mapOf(*effect)))["name"] as String
    fun clearFaults() { call("DELETE", "/faults") }
    fun snapshot(name: String) { post("/snapshots", "name" to name) }
    fun restore(name: String) { post("/snapshots/${encode(name)}/restore") }
    /** A simulated phone that is there, such as ada. */
    fun phone(name: String) = Phone(this, name)
    /** A new and empty phone. Order: owner, mail, model, policy and what else set() knows. */
    fun addPhone(name: String, vararg order: Pair<String, Any?>) = phone(name).also { post("/phones", "name" to name, *order) }
    /** What keeps the passkeys of a phone that is there, such as ada. */
    fun authenticator(phone: String) = Authenticator(this, phone)
    /** A token without its flow: mint("hanko", "session", "user" to "ada@example.com").token. Order: user, client, scope, claims, lifetime, flaw, key. */
    fun mint(platform: String, kind: String, vararg order: Pair<String, Any?>) =
        MintedToken(post("/tokens", "platform" to platform, "kind" to kind, *order))
    /** What waits for a decision or did lately, the newest first. Query: platform, state, user, open, limit, wait. */
    fun transactions(vararg query: Pair<String, Any?>) = list(get("/transactions", *query), "transactions", ::Transaction)
    /** Does with a transaction what a person would do, by an action that it names. */
    fun decide(id: String, action: String) = Transaction(post("/transactions/${encode(id)}/$action"))
    /** What platforms keep, such as users and devices, the newest first. Query: platform, kind, user, state, limit, wait. */
    fun records(vararg query: Pair<String, Any?>) = list(get("/records", *query), "records", ::PlatformRecord)
    fun addRecord(platform: String, kind: String, vararg inputs: Pair<String, String>) =
        PlatformRecord(post("/records", "platform" to platform, "kind" to kind, "inputs" to mapOf(*inputs)))
    /** Does to a record what the console offers, by an action that it names; null when it is gone then. */
    fun changeRecord(platform: String, id: String, action: String, vararg inputs: Pair<String, String>) =
        (post("/records/$platform/${encode(id)}/$action", "inputs" to mapOf(*inputs)) as? Map<*, *>)?.let(::PlatformRecord)
    /** The newest flow, such as a login, as text that is the same in each run. Query: wait, user, platform, since, format (mermaid, svg). */
    fun flow(vararg query: Pair<String, Any?>) = get("/flows/last", "wait" to 5, "format" to "text", *query) as String
    /** What was refused in this world and why, the oldest first, a line each. */
    fun refusals() = list(get("/journal", "refused" to true), "entries", ::members).asReversed().map { entry ->
        val asked = members(entry["exchange"])
        "${asked["method"]} ${asked["target"]} → ${asked["status"]}: ${entry["explanation"]}"
    }
    fun delete() { server.call("DELETE", "/worlds/$name") }
    override fun close() = delete()
    internal fun explained(failure: Throwable) =
        refusals().let { if (it.isEmpty()) null else "${failure.message}\n\nRefused in the world $name:\n${it.joinToString("\n")}" }
}

/** A simulated phone with an app for each platform. What its app or the platform refuses is a [Problem] with the SDK's name for it. */
class Phone(val world: World, val name: String) {
    private val path = "/phones/${encode(name)}"
    private fun report(action: String, vararg body: Pair<String, Any?>): PhoneReport {
        val all = mapOf(*body)
        return PhoneReport(world.call("POST", "$path/$action", all - "wait", all.filterKeys { it == "wait" }))
    }
    /** Has its owner enrolled. Order: platform, pin, protocol and more. */
    fun enrol(vararg order: Pair<String, Any?>) = report("enrol", *order)
    /** Takes the text of a QR code, a link or a typed code. */
    fun scan(text: String, vararg order: Pair<String, Any?>) = report("scan", "text" to text, *order)
    /** The requests that wait for an answer. Query: wait. */
    fun pending(vararg query: Pair<String, Any?>) = list(world.call("GET", "$path/pending", query = mapOf(*query)), "requests", ::PhoneRequest)
    /** The first request that waits, waited for. Answer: wait, id, with ("wrong-pin", "biometry"), pin, after, fault, platform, account. */
    fun approve(vararg answer: Pair<String, Any?>) = report("approve", "wait" to 10, *answer)
    /** The same with no. Answer: wait, id, reason, platform, account and more. */
    fun decline(vararg answer: Pair<String, Any?>) = report("decline", "wait" to 10, *answer)
    /** The header fields with which its app would send a request. Order: platform, method, uriId, body, with, token. */
    fun sign(vararg order: Pair<String, Any?>) =
        members(members(world.call("POST", "$path/sign", mapOf(*order)))["headers"]).mapValues { it.value as String }
    /** What the owner can do in an app: begin("applogin", "nextauth", "inactivity_timeout" to "120"). */
    fun begin(action: String, platform: String? = null, vararg inputs: Pair<String, String>) =
        report("do", "action" to action, "platform" to platform, "inputs" to mapOf(*inputs))
    /** policy: "approve after 3 s", network: "offline", clockSkew: 120 and more. */
    fun set(vararg change: Pair<String, Any?>) { world.call("PATCH", path, mapOf(*change)) }
}

/** Passkeys without a browser: it takes the options of any relying party and answers with the credential; as JSON text to JSON text. */
class Authenticator(val world: World, val phone: String) {
    private val path = "/authenticators/${encode(phone)}"
    /** What navigator.credentials.create() does. Query: origin, of the page or app. */
    fun create(options: Members, vararg query: Pair<String, Any?>) = members(world.call("POST", "$path/create", options, mapOf(*query)))
    fun create(options: String, vararg query: Pair<String, Any?>) = JSON.write(create(JSON(options).members(), *query))
    /** What navigator.credentials.get() does. Query: origin, credential (an id, where several fit). */
    fun get(options: Members, vararg query: Pair<String, Any?>) = members(world.call("POST", "$path/get", options, mapOf(*query)))
    fun get(options: String, vararg query: Pair<String, Any?>) = JSON.write(get(JSON(options).members(), *query))
    /** The same as Android's CredentialManager is asked, in JSON and by a coroutine, which may run on the main thread. */
    suspend fun createCredential(requestJson: String, vararg query: Pair<String, Any?>) = aside { create(requestJson, *query) }
    suspend fun getCredential(requestJson: String, vararg query: Pair<String, Any?>) = aside { get(requestJson, *query) }
    private suspend fun <Result> aside(ask: () -> Result): Result =
        suspendCoroutine { waiting -> thread(isDaemon = true) { waiting.resumeWith(runCatching(ask)) } }
    /** origin: "https://example.com", behaviour: mapOf("userHandleForm" to "text", "neverSettles" to "create", "breaksSignature" to true) and more. */
    fun set(vararg change: Pair<String, Any?>) { world.call("PATCH", path, mapOf(*change)) }
}

// BEGIN junit5
/** A world for each test that asks for one, a program for all of them, and refusals in the message of a test that fails. */
class Worlds : ParameterResolver, TestExecutionExceptionHandler {
    private val ours = ExtensionContext.Namespace.create(Understudy::class.java)
    private class Kept<Value : AutoCloseable>(val value: Value) : ExtensionContext.Store.CloseableResource { override fun close() = value.close() }
    override fun supportsParameter(parameter: ParameterContext, context: ExtensionContext) =
        parameter.parameter.type in setOf(World::class.java, Understudy::class.java)
    override fun resolveParameter(parameter: ParameterContext, context: ExtensionContext): Any {
        val program = context.root.getStore(ours).getOrComputeIfAbsent("program", { Kept(Understudy.connect()) }, Kept::class.java).value as Understudy
        if (parameter.parameter.type == Understudy::class.java) return program
        return context.getStore(ours).getOrComputeIfAbsent("world", { Kept(program.world()) }, Kept::class.java).value
    }
    override fun handleTestExecutionException(context: ExtensionContext, failure: Throwable) {
        val world = context.getStore(ours).get("world", Kept::class.java)?.value as World?
        val message = if (failure is TestAbortedException) null else world?.explained(failure)
        throw if (message == null) failure
        else if (failure is AssertionFailedError && failure.isExpectedDefined) AssertionFailedError(message, failure.expected, failure.actual, failure)
        else AssertionFailedError(message, failure)
    }
}
// END
// BEGIN junit4
/** A world for each test, a program for all of them, and refusals in the message of a test that fails. [order]: as of [Understudy.world]. */
class WorldRule(private vararg val order: Pair<String, Any?>) : TestRule {
    lateinit var world: World
        private set
    override fun apply(base: Statement, description: Description) = object : Statement() {
        override fun evaluate() = program.world(*order).use {
            world = it
            try {
                base.evaluate()
            } catch (failure: Throwable) {
                val message = if (failure is AssumptionViolatedException) null else world.explained(failure)
                throw if (message == null) failure else AssertionError(message, failure)
            }
        }
    }
    companion object { val program: Understudy by lazy { Understudy.connect() } }
}
// END

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
