/// How far a mail is taken apart. What lies beyond stays in its source, and a remark says so.
package struct MIMELimits: Sendable {
    /// Multiparts within multiparts.
    package var depth = 16
    /// Parts of a mail, multiparts included.
    package var parts = 300
    /// Bytes of the header of a mail or a part.
    package var headerBytes = 256 * 1024
    package var fields = 1000
    /// Bytes of the text and of the HTML that are shown.
    package var textBytes = 256 * 1024
    package var htmlBytes = 1024 * 1024

    package init() {}
}
