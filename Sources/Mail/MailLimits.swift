/// Every bound that a server of mails sets a client.
package struct MailLimits: Sendable {
    /// Bytes of one mail, as `SIZE` announces them; beyond it 552, once the mail has ended.
    package var messageBytes = 10 * 1024 * 1024
    /// Recipients of one mail; one more gets a 452.
    package var recipients = 100
    /// Bytes of one mail times its recipients, of whom each gets a copy; beyond it 552.
    package var copiesBytes = 64 * 1024 * 1024
    /// Bytes of a command with its line end; RFC 5321 §4.5.3.1.4 asks for 512 and more with extensions. Beyond it 500 and the end.
    package var commandBytes = 2048
    /// Bytes of a line of `AUTH`. Source: RFC 4954 §4.
    package var authenticationBytes = 12_288
    /// Bytes of a line of the mail without its end; RFC 5321 §4.5.3.1.6 says 998, which many programs exceed. Beyond it 554 and the end.
    package var lineBytes = 65_536
    /// Refused commands of one session; with the last comes a 421 and the end.
    package var refusals = 20
    /// Commands between two mails, recipients not counted; one more gets a 421.
    package var idleCommands = 1000
    /// Open connections; one more gets a 421.
    package var connections = 1000
    /// Bytes of a mail that are read without asking for room, see ``MailDialogue/wantedRoom``.
    package var freeBytes = Int.max
    /// Seconds for the next command, and for the next bytes of a mail; beyond it 421. Source of the first: RFC 5321 §4.5.3.2.7.
    package var commandSeconds = 300.0
    package var dataSeconds = 180.0
    /// Seconds from `DATA` to the end of the mail.
    package var mailSeconds = 600.0
    /// Seconds of a session, which ends between two mails.
    package var sessionSeconds = 3600.0
    /// Seconds in which a client must take some of its replies.
    package var sendSeconds = 60.0

    package init() {}
}
