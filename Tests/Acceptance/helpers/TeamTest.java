// Tests of a team, with the helper for Java.
package team;

import static org.junit.jupiter.api.Assertions.*;

import java.net.URI;
import java.net.http.*;
import java.util.*;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import understudy.Understudy;
import understudy.Understudy.Message;
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
        var user = member("user_id", ask(hanko + "/users", "{\"email\": \"you@example.com\"}"));
        var passcode = member("id", ask(hanko + "/passcode/login/initialize", "{\"user_id\": \"" + user + "\"}"));
        var code = world.code("you@example.com");
        assertEquals(List.of(code), world.outbox().stream().map(Message::code).toList());
        assertEquals("passcode", world.message("you@example.com", "wait", 0).kind());
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
        assertEquals("482913", world.sendText("+14155550100", "Your code is 482913", "Shop").code());
        assertEquals("482913", world.code("+14155550100"));
        world.sendText("+14155550101", "Hello");
        var whole = world.latest("to", "+14155550100", "explain", 1);
        assertEquals(List.of("482913"), whole.codes().stream().map(found -> found.code()).toList());
        assertEquals(Boolean.TRUE, whole.explanation().get(0).get("isCode"));
        world.clearOutbox("+14155550100");
        assertEquals(List.of("Hello"), world.outbox().stream().map(Message::text).toList());
        world.clearOutbox();
        assertEquals(List.of(), world.outbox());
    }

    @Test void thingsGoWrongAndComeRight(World world) throws Exception {
        assertEquals("answer-503", world.fault(null, Map.of("platform", "hanko"), "answer", Map.of("status", 503)));
        var users = world.urls().get("hanko") + "/users";
        assertEquals(503, ask(users, "{\"email\": \"you@example.com\"}").statusCode());
        world.clearFaults();
        assertEquals(200, ask(users, "{\"email\": \"you@example.com\"}").statusCode());
        assertEquals(404, assertThrows(Understudy.Problem.class, () -> world.restore("never-saved")).status);
    }

    @Test void theClockIsSetAndTextsComeThrough(World world, Understudy understudy) {
        world.setClock("now", "2026-03-04T10:15:00Z", "frozen", true);
        assertTrue(world.call("GET", "/clock", null).toString().contains("2026-03-04T10:15:00"));
        var name = "Zoë \"\\/\n\t\u0001 😀 " + "\\\"".repeat(20_000);
        var people = Map.of("people", List.of(Map.of("id", "zoe", "name", name, "email", "zoe@example.com", "story", "New.")));
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
        assertEquals("approved", ada.approve("wait", 5).kind());
        ask(operations, "{\"template\": \"login\", \"userId\": \"ada\"}");
        assertEquals("declined", ada.decline("reason", "UNKNOWN").kind());
        assertTrue(ada.sign("method", "POST", "uriId", "/login", "body", "{}").containsKey("X-PowerAuth-Authorization"));
        var eva = world.addPhone("eva", "owner", "eva", "model", "android");
        eva.set("network", "offline");
        assertThrows(Understudy.Problem.class, () -> eva.scan("ACTIV-ATION-CODEA-BCDEF"));
        assertTrue(assertThrows(Understudy.Problem.class, () -> eva.begin("applogin", "nextauth")).detail.contains("not enrolled"));
    }

    @Test void whatPlatformsKeep(World world) throws Exception {
        world.phone("ada").enrol("platform", "powerauth");
        ask(world.urls().get("powerauth-cloud") + "/v2/operations", "{\"template\": \"login\", \"userId\": \"ada\"}");
        var waiting = world.transactions("user", "ada", "open", true).get(0);
        assertEquals("APPROVED", world.decide(waiting.id(), waiting.actions().get(0)).state());
        var device = world.records("platform", "powerauth", "user", "ada").get(0);
        assertTrue(device.actions().stream().anyMatch(action -> action.name().equals("remove") && action.isFinal()));
        assertEquals("BLOCKED", world.changeRecord("powerauth", device.id(), "block", "reason", "LOST").state());
        assertEquals("CREATED", world.addRecord("powerauth", "registration", "user", "eva", "application", "my-app").state());
        assertEquals(List.of("localhost"), world.mint("hanko", "session", "user", "ada@example.com").claims().get("aud"));
        var hanko = world.urls().get("hanko");
        var user = member("user_id", ask(hanko + "/users", "{\"email\": \"you@example.com\"}"));
        ask(hanko + "/passcode/login/initialize", "{\"user_id\": \"" + user + "\"}");
        var mail = world.mail("you@example.com");
        assertTrue(mail.html().contains(mail.code()) && mail.to().address().equals("you@example.com"));
    }

    @Test void passkeysWithoutABrowser(World world) {
        var ada = world.authenticator("ada");
        var creation = """
            {"rp": {"id": "example.com", "name": "Example"}, "user": {"id": "YWRh", "name": "ada", "displayName": "Ada"},
             "challenge": "MDEyMzQ1Njc4OWFiY2RlZg", "pubKeyCredParams": [{"type": "public-key", "alg": -7}]}""";
        var request = Map.of("rpId", "example.com", "challenge", "MDEyMzQ1Njc4OWFiY2RlZg");
        ada.set("origin", "https://login.example.com", "behaviour", Map.of("userHandleForm", "text"));
        assertEquals("NotAllowedError", assertThrows(Understudy.Problem.class, () -> ada.get(request)).title);
        var made = ada.create(creation);
        var used = ada.get(request);
        assertTrue(made.contains("\"id\":\"" + used.get("id") + "\"") && used.get("response").toString().contains("userHandle=ada"));
    }

    @Test void fails(World world) throws Exception {
        assertEquals(200, ask(world.urls().get("hanko") + "/passcode/login/initialize", "{\"user_id\": \"nobody\"}").statusCode());
    }
}
