/// Why a picture was not read. Only pictures that this program draws are: for photographs and screenshots there are scanners.
package enum PictureError: Error, Equatable, CustomStringConvertible {
    /// It is no picture of a QR code as this program draws them: a sentence that says why.
    case foreign(String)
    /// The modules are no symbol: a sentence that says why.
    case damaged(String)

    package var description: String {
        switch self {
        case .foreign(let why):
            "Only the PNG and SVG files are read that Understudy draws itself: \(why). Read other pictures with a scanner, such as zbarimg."
        case .damaged(let why): "The picture is not a whole QR code: \(why)."
        }
    }
}
