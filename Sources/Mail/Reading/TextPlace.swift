/// Where a piece of a text stands.
///
/// In halves of the memory that numbers take elsewhere: a long text has many places, and fresh memory is what they cost.
struct TextPlace {
    private var places: SIMD4<Int32> = .zero

    var at: Int {
        get { Int(places[0]) }
        set { places[0] = Int32(truncatingIfNeeded: newValue) }
    }
    var line: Int {
        get { Int(places[1]) }
        set { places[1] = Int32(truncatingIfNeeded: newValue) }
    }
    var sentence: Int {
        get { Int(places[2]) }
        set { places[2] = Int32(truncatingIfNeeded: newValue) }
    }
    var clause: Int {
        get { Int(places[3]) }
        set { places[3] = Int32(truncatingIfNeeded: newValue) }
    }
}
