import Essentials
import HTTP
import Mail
import PlatformKit

extension Twilio {
    /// `POST /2010-04-01/Accounts/{AccountSid}/Messages.json`: sends a text message, which stands in the outbox at once.
    ///
    /// - Request: a form with `To`, `Body` and `From` or `MessagingServiceSid`; HTTP Basic with the account's SID or an API key, and any secret.
    /// - Response: `201` with the Message resource; `status` is `queued`, with a messaging service `accepted`.
    /// - Errors: 20003, 21602, 21603, 21604, 21211, 21212, 21617, 21701, those of the numbers for tests, 501 for what is not emulated.
    /// - Source: reference of the Message resource, “Create a Message”.
    func createMessage(_ request: Request) throws -> Response {
        let account = try authenticated(request)
        let order = try MessageOrder(request.form)
        let reading = MailReading(subject: "", text: order.body, html: nil, isWhole: false)
        let message = Message(
            .sms, kind: reading.kind,
            from: .init(order.from ?? order.service ?? ""), to: .init(order.to), subject: "",
            text: order.body,
            code: reading.code, link: reading.link, source: Message.fromTwilio)
        let now = try world.change { turn in
            try turn.send(message)
            turn.note("text message taken", about: order.to, order.sentence)
            return turn.now
        }
        let sid = "SM" + world.services.entropy.uuid(for: "twilio.message").replacing("-", with: "")
        return Response(
            status: .created, headers: ["Content-Type": "application/json"],
            body: order.resource(sid: sid, account: account, date: InternetDate.text(now)).bytes)
    }

    /// `POST …/Messages`, without `.json`: Twilio answers in XML there, which no helper library asks for.
    func refuseXML(_: Request) throws -> Response {
        throw TwilioRefusal.notEmulated(
            "The XML form of the Message resource", instead: "Call Messages.json.")
    }

    /// `POST /v2/Services/{ServiceSid}/Verifications` and `…/VerificationCheck`.
    func refuseVerify(_: Request) throws -> Response {
        throw TwilioRefusal.notEmulated(
            "Twilio Verify", instead: "Make the code in your back end and send it with Messages.json.")
    }

    /// - Returns: the account of the path.
    private func authenticated(_ request: Request) throws -> String {
        let account = request.parameter("account")
        guard let value = request.headers["Authorization"]?.value(ofScheme: "Basic") else {
            throw TwilioRefusal.unauthenticated(
                "The request has no credentials: HTTP Basic with the account's SID and any token is expected."
            )
        }
        let credentials: BasicCredentials
        do {
            credentials = try BasicCredentials(parsing: value)
        } catch {
            throw TwilioRefusal.unauthenticated("The value of Authorization \(error.rawValue).")
        }
        guard SID.isOne(account, "AC") else {
            throw TwilioRefusal.unauthenticated(
                "The account of the path must be AC and 32 hexadecimal digits; any will do.")
        }
        guard credentials.name == account || SID.isOne(credentials.name, "SK"), !credentials.password.isEmpty
        else {
            throw TwilioRefusal.unauthenticated(
                "The user of HTTP Basic must be the account of the path or an API key (SK and 32 hexadecimal digits), with any secret."
            )
        }
        return account
    }
}
