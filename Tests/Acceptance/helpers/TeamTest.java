// Tests of a team, with the helper for Java.
package team;

import static org.junit.jupiter.api.Assertions.*;

import java.net.URI;
import java.net.http.*;
import java.util.*;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import understudy.Understudy;
import understudy.Understudy.World;

@ExtendWith(Understudy.Worlds.class)
class TeamTest {
    private static final String BACK_OFFICE = "Basic YmFjay1vZmZpY2U6YmFjay1vZmZpY2Utc2VjcmV0";

    HttpResponse<String> ask(String url, String body) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(url)).header("Content-Type", "application/json").header("Authorization", BACK_OFFICE);
        return HttpClient.newHttpClient().send(request.POST(HttpRequest.BodyPublishers.ofString(body)).build(), HttpResponse.BodyHandlers.ofString());
    }

    String member(String name, HttpResponse<String> answer) {
        return answer.body().replaceAll("(?s).*\"" + name + "\":\"([^\"]*)\".*", "$1");
    }

    @Test void logsInAlone(World world) throws Exception {
        var hanko = world.urls().get("hanko");
        var user = member("user_id", ask(hanko + "/users", "{\"email\": \"you@example.test\"}"));
        var passcode = member("id", ask(hanko + "/passcode/login/initialize", "{\"user_id\": \"" + user + "\"}"));
        var code = world.code("you@example.test");
        assertEquals(List.of(code), world.outbox().stream().map(mail -> mail.get("code")).toList());
        assertEquals("passcode", world.message("you@example.test", "wait", 0).get("kind"));
        var finish = "{\"id\": \"" + passcode + "\", \"code\": \"" + code + "\"}";
        world.snapshot("asked");
        world.advance(301);
        assertEquals(408, ask(hanko + "/passcode/login/finalize", finish).statusCode());
        assertTrue(world.refusals().get(0).contains("expired"));
        world.restore("asked");
        assertEquals(200, ask(hanko + "/passcode/login/finalize", finish).statusCode());
        assertTrue(world.flow().contains("passcode accepted"));
    }

    @Test void messagesOfABackEnd(World world) {
        assertEquals("482913", world.sendText("+14155550100", "Your code is 482913").get("code"));
        assertEquals("482913", world.code("+14155550100"));
        world.sendText("+14155550101", "Hello");
        assertEquals("Your code is 482913", world.latest("to", "+14155550100", "explain", 1).get("text"));
        world.clearOutbox("to", "+14155550100");
        assertEquals(List.of("Hello"), world.outbox().stream().map(message -> message.get("text")).toList());
        world.clearOutbox();
        assertEquals(List.of(), world.outbox());
    }

    @Test void thingsGoWrongAndComeRight(World world) throws Exception {
        assertEquals("answer-503", world.fault("answer", Map.of("status", 503), "platform", "hanko"));
        var users = world.urls().get("hanko") + "/users";
        assertEquals(503, ask(users, "{\"email\": \"you@example.test\"}").statusCode());
        world.clearFaults();
        assertEquals(200, ask(users, "{\"email\": \"you@example.test\"}").statusCode());
        assertEquals(404, assertThrows(Understudy.Problem.class, () -> world.restore("never-saved")).status);
    }

    @Test void theClockIsSetAndTextsComeThrough(World world, Understudy understudy) {
        world.setClock("now", "2026-03-04T10:15:00Z", "frozen", true);
        assertTrue(world.call("GET", "/clock", null).toString().contains("2026-03-04T10:15:00"));
        var name = "Zoë \"\\/\n\t\u0001 😀 " + "\\\"".repeat(20_000);
        var people = Map.of("people", List.of(Map.of("id", "zoe", "name", name, "email", "zoe@example.test", "story", "New.")));
        try (var other = understudy.world("fixtures", people, "seed", 7)) {
            assertTrue(other.call("GET", "/info", null).toString().contains("name=" + name));
        }
    }

    @Test void aPhoneAnswers(World world) throws Exception {
        var operations = world.urls().get("powerauth-cloud") + "/v2/operations";
        var ada = world.phone("ada");
        ada.enrol("platform", "powerauth");
        assertEquals(List.of(), ada.pending());
        ask(operations, "{\"template\": \"login\", \"userId\": \"ada\"}");
        var wrong = assertThrows(Understudy.Problem.class, () -> ada.approve("with", "wrong-pin"));
        assertTrue(wrong.status == 422 && wrong.detail.contains("PIN"));
        assertEquals("approved", ada.approve("wait", 5).get("kind"));
        ask(operations, "{\"template\": \"login\", \"userId\": \"ada\"}");
        assertEquals("declined", ada.decline("reason", "UNKNOWN").get("kind"));
        assertTrue(ada.sign("method", "POST", "uriId", "/login", "body", "{}").containsKey("X-PowerAuth-Authorization"));
        var eva = world.addPhone("eva", "owner", "eva", "model", "android");
        eva.set("network", "offline");
        assertThrows(Understudy.Problem.class, () -> eva.scan("ACTIV-ATION-CODEA-BCDEF"));
        assertTrue(assertThrows(Understudy.Problem.class, () -> eva.begin("applogin", "nextauth")).detail.contains("not enrolled"));
    }

    @Test void fails(World world) throws Exception {
        assertEquals(200, ask(world.urls().get("hanko") + "/passcode/login/initialize", "{\"user_id\": \"nobody\"}").statusCode());
    }
}
