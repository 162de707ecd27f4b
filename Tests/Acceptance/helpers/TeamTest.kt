// Tests of a team, with the helper for Kotlin.
package team

import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit
import kotlin.coroutines.Continuation
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.coroutines.startCoroutine
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.extension.ExtendWith
import understudy.Problem
import understudy.Understudy
import understudy.World
import understudy.Worlds

@ExtendWith(Worlds::class)
class TeamTest {
    private fun ask(url: String, body: String): HttpResponse<String> {
        val request = HttpRequest.newBuilder(URI(url)).header("Content-Type", "application/json")
            .header("Authorization", "Basic YmFjay1vZmZpY2U6YmFjay1vZmZpY2Utc2VjcmV0")
        return HttpClient.newHttpClient().send(request.POST(HttpRequest.BodyPublishers.ofString(body)).build(), HttpResponse.BodyHandlers.ofString())
    }

    private fun HttpResponse<String>.member(name: String) = Regex("\"$name\":\"([^\"]*)\"").find(body())!!.groupValues[1]

    @Test fun `logs in alone`(world: World) {
        val hanko = world.urls["hanko"]
        val user = ask("$hanko/users", """{"email": "you@example.com"}""").member("user_id")
        val passcode = ask("$hanko/passcode/login/initialize", """{"user_id": "$user"}""").member("id")
        val code = world.code("you@example.com")
        assertEquals(listOf(code), world.outbox().map { it.code })
        assertEquals("passcode", world.message("you@example.com", "wait" to 0).kind)
        val finish = """{"id": "$passcode", "code": "$code"}"""
        world.snapshot("asked")
        world.advance(301)
        assertEquals(408, ask("$hanko/passcode/login/finalize", finish).statusCode())
        assertTrue("expired" in world.refusals().first())
        world.restore("asked")
        assertEquals(200, ask("$hanko/passcode/login/finalize", finish).statusCode())
        assertTrue("passcode accepted" in world.flow())
    }

    @Test fun `messages of a back end`(world: World) {
        assertEquals("482913", world.sendText("+14155550100", "Your code is 482913", "Shop").code)
        assertEquals("482913", world.code("+14155550100"))
        world.sendText("+14155550101", "Hello")
        assertEquals("Your code is 482913", world.latest("wait" to 0, "to" to "+14155550100", "explain" to 1).text)
        world.clearOutbox("+14155550100")
        assertEquals(listOf("Hello"), world.outbox().map { it.text })
        world.clearOutbox()
        assertEquals(emptyList<Any>(), world.outbox())
    }

    @Test fun `things go wrong and come right`(world: World) {
        assertEquals("answer-503", world.fault(null, mapOf("platform" to "hanko"), "answer" to mapOf("status" to 503)))
        assertEquals(503, ask("${world.urls["hanko"]}/users", """{"email": "you@example.com"}""").statusCode())
        world.clearFaults()
        assertEquals(200, ask("${world.urls["hanko"]}/users", """{"email": "you@example.com"}""").statusCode())
        assertEquals(404, assertThrows(Problem::class.java) { world.restore("never-saved") }.status)
    }

    @Test fun `the clock is set, and texts come through`(world: World, understudy: Understudy) {
        world.setClock("now" to "2026-03-04T10:15:00Z", "frozen" to true)
        assertTrue("2026-03-04T10:15:00" in world.call("GET", "/clock").toString())
        val name = "Zoë \"\\/\n\t\u0001 😀 " + "\\\"".repeat(20_000)
        val people = mapOf("people" to listOf(mapOf("id" to "zoe", "name" to name, "email" to "zoe@example.com", "story" to "New.")))
        understudy.world("fixtures" to people, "seed" to 7).use { assertTrue("name=$name" in it.call("GET", "/info").toString()) }
    }

    @Test fun `a phone answers`(world: World) {
        val operations = "${world.urls["powerauth-cloud"]}/v2/operations"
        val ada = world.phone("ada")
        ada.enrol("platform" to "powerauth")
        assertEquals(emptyList<Any>(), ada.pending())
        ask(operations, """{"template": "login", "userId": "ada"}""")
        val wrong = assertThrows(Problem::class.java) { ada.approve("with" to "wrong-pin") }
        assertTrue(wrong.status == 422 && "PIN" in wrong.detail)
        assertEquals("approved", ada.approve("wait" to 5).kind)
        ask(operations, """{"template": "login", "userId": "ada"}""")
        assertEquals("declined", ada.decline("reason" to "UNKNOWN").kind)
        assertTrue("X-PowerAuth-Authorization" in ada.sign("method" to "POST", "uriId" to "/login", "body" to "{}"))
        val eva = world.addPhone("eva", "owner" to "eva", "model" to "android")
        eva.set("network" to "offline")
        assertThrows(Problem::class.java) { eva.scan("ACTIV-ATION-CODEA-BCDEF") }
        assertTrue("not enrolled" in assertThrows(Problem::class.java) { eva.begin("applogin", "nextauth") }.detail)
    }

    @Test fun `what platforms keep`(world: World) {
        world.phone("ada").enrol("platform" to "powerauth")
        ask("${world.urls["powerauth-cloud"]}/v2/operations", """{"template": "login", "userId": "ada"}""")
        val waiting = world.transactions("user" to "ada", "open" to true).single()
        assertEquals("APPROVED", world.decide(waiting.id, waiting.actions.first()).state)
        val device = world.records("platform" to "powerauth", "user" to "ada").single()
        assertEquals(listOf("block", "remove"), device.actions)
        assertEquals("BLOCKED", world.changeRecord("powerauth", device.id, "block", "reason" to "LOST")?.state)
        assertEquals("CREATED", world.addRecord("powerauth", "registration", "user" to "eva", "application" to "my-app").state)
        assertEquals(listOf("localhost"), world.mint("hanko", "session", "user" to "ada@example.com").claims?.get("aud"))
        val user = ask("${world.urls["hanko"]}/users", """{"email": "you@example.com"}""").member("user_id")
        ask("${world.urls["hanko"]}/passcode/login/initialize", """{"user_id": "$user"}""")
        val mail = world.mail("you@example.com")
        assertTrue(mail.code!! in mail.html!! && mail.to.address == "you@example.com" && mail.expiresAt != null && mail.usedAt == null)
    }

    @Test fun `passkeys without a browser`(world: World) {
        val ada = world.authenticator("ada")
        val creation = """{"rp": {"id": "example.com", "name": "Example"}, "user": {"id": "YWRh", "name": "ada", "displayName": "Ada"},
            "challenge": "MDEyMzQ1Njc4OWFiY2RlZg", "pubKeyCredParams": [{"type": "public-key", "alg": -7}]}"""
        val request = mapOf("rpId" to "example.com", "challenge" to "MDEyMzQ1Njc4OWFiY2RlZg")
        ada.set("origin" to "https://login.example.com", "behaviour" to mapOf("userHandleForm" to "text"))
        assertEquals("NotAllowedError", assertThrows(Problem::class.java) { ada.get(request) }.title)
        val made = awaited { ada.createCredential(creation) }.getOrThrow()
        val used = ada.get(request)
        assertTrue(""""id":"${used["id"]}"""" in made && "userHandle=ada" in used["response"].toString())
        world.phone("ada").set("policy" to "decline")
        val declined = awaited { ada.getCredential("""{"rpId": "example.com", "challenge": "AAAA"}""") }
        assertEquals("NotAllowedError", (declined.exceptionOrNull() as Problem).title)
    }

    /** What a coroutine comes to, which an app would launch. */
    private fun <Value> awaited(body: suspend () -> Value): Result<Value> {
        val done = CompletableFuture<Result<Value>>()
        body.startCoroutine(Continuation(EmptyCoroutineContext) { done.complete(it) })
        return done.get(20, TimeUnit.SECONDS)
    }

    @Test fun fails(world: World) {
        assertEquals(200, ask("${world.urls["hanko"]}/passcode/login/initialize", """{"user_id": "nobody"}""").statusCode())
    }
}
