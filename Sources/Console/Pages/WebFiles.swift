/// The files of `Web/`, from the binary or from a folder.
package struct WebFiles: Sendable {
    /// The bytes of a file by its name, such as `app.css`; nil when there is none. Names that reach here have no `..` in them.
    let read: @Sendable (String) -> [UInt8]?

    package init(read: @escaping @Sendable (String) -> [UInt8]?) { self.read = read }
}
