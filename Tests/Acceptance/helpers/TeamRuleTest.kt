// Tests of a team, with the helper for Kotlin and JUnit 4.
package team

import java.net.HttpURLConnection
import java.net.URL
import org.junit.Assert.assertEquals
import org.junit.Assert.assertThrows
import org.junit.Assume.assumeTrue
import org.junit.Rule
import org.junit.Test
import understudy.Problem
import understudy.WorldRule

class TeamRuleTest {
    @get:Rule val understudy = WorldRule("clock" to "2026-03-04T10:15:00Z", "frozen" to true)

    private fun status(url: String, body: String): Int {
        val connection = URL(url).openConnection() as HttpURLConnection
        connection.doOutput = true
        connection.setRequestProperty("Content-Type", "application/json")
        connection.outputStream.use { it.write(body.toByteArray()) }
        return connection.responseCode
    }

    @Test fun aWorldForEachTest() {
        val world = understudy.world
        assertEquals("2026-03-04T10:15:00.000Z", (world.call("GET", "/clock") as Map<*, *>)["now"])
        val ada = world.phone("ada")
        assertEquals("activation", ada.enrol("platform" to "powerauth").kind)
        ada.set("policy" to "approve after 3 s")
        assertEquals(404, assertThrows(Problem::class.java) { world.restore("never saved") }.status)
        world.snapshot("enrolled")
        world.restore("enrolled")
    }

    @Test fun assumptionsAreNoFailures() = assumeTrue("not today", false)

    @Test fun fails() {
        assertEquals(200, status("${understudy.world.urls["hanko"]}/passcode/login/initialize", """{"user_id": "nobody"}"""))
    }
}
