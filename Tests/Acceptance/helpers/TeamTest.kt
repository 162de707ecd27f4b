// Tests of a team, with the helper for Kotlin.
package team

import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
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
        val user = ask("$hanko/users", """{"email": "you@example.test"}""").member("user_id")
        val passcode = ask("$hanko/passcode/login/initialize", """{"user_id": "$user"}""").member("id")
        val code = world.code("you@example.test")
        assertEquals(listOf(code), world.outbox().map { it["code"] })
        assertEquals("passcode", world.message("you@example.test", wait = 0)["kind"])
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
        assertEquals("482913", world.sendText("+14155550100", "Your code is 482913")["code"])
        assertEquals("482913", world.code("+14155550100"))
        world.sendText("+14155550101", "Hello")
        assertEquals("Your code is 482913", world.latest(0, "to" to "+14155550100", "explain" to 1)["text"])
        world.clearOutbox("to" to "+14155550100")
        assertEquals(listOf("Hello"), world.outbox().map { it["text"] })
        world.clearOutbox()
        assertEquals(emptyList<Any>(), world.outbox())
    }

    @Test fun `things go wrong and come right`(world: World) {
        assertEquals("answer-503", world.fault("answer" to mapOf("status" to 503), "platform" to "hanko"))
        assertEquals(503, ask("${world.urls["hanko"]}/users", """{"email": "you@example.test"}""").statusCode())
        world.clearFaults()
        assertEquals(200, ask("${world.urls["hanko"]}/users", """{"email": "you@example.test"}""").statusCode())
        assertEquals(404, assertThrows(Problem::class.java) { world.restore("never-saved") }.status)
    }

    @Test fun `the clock is set, and texts come through`(world: World, understudy: Understudy) {
        world.setClock("now" to "2026-03-04T10:15:00Z", "frozen" to true)
        assertTrue("2026-03-04T10:15:00" in world.call("GET", "/clock").toString())
        val name = "Zoë \"\\/\n\t\u0001 😀 " + "\\\"".repeat(20_000)
        val people = mapOf("people" to listOf(mapOf("id" to "zoe", "name" to name, "email" to "zoe@example.test", "story" to "New.")))
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
        assertEquals("approved", ada.approve(wait = 5)["kind"])
        ask(operations, """{"template": "login", "userId": "ada"}""")
        assertEquals("declined", ada.decline("reason" to "UNKNOWN")["kind"])
        assertTrue("X-PowerAuth-Authorization" in ada.sign("method" to "POST", "uriId" to "/login", "body" to "{}"))
        val eva = world.addPhone("eva", "owner" to "eva", "model" to "android")
        eva.set("network" to "offline")
        assertThrows(Problem::class.java) { eva.scan("ACTIV-ATION-CODEA-BCDEF") }
        assertTrue("not enrolled" in assertThrows(Problem::class.java) { eva.begin("applogin", "nextauth") }.detail)
    }

    @Test fun fails(world: World) {
        assertEquals(200, ask("${world.urls["hanko"]}/passcode/login/initialize", """{"user_id": "nobody"}""").statusCode())
    }
}
