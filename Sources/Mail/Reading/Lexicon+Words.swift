extension Lexicon {
    /// Words of mails that carry codes, by language and by what they tell of a number beside them.
    ///
    /// A line is a language, a kind, and words. `kod{,u,em}` is three words; `a_b` are two words behind one another; `^TAN` counts in capitals alone, `=mã`
    /// with its accents alone; all else is compared without case and accents.
    ///
    /// Source: ours, as mails and text messages of that kind say it in each language (*assumed* where no mail of the corpus has the word); the terms of
    /// RFC 4226, 6238 and 8628.
    static let words = """
        en code code{,s} passcode{,s} otp{,s} pin{,s} ^TAN ^OTAC ^OTC ^TOTP 
        en secret password{,s} passphrase token{,s}
        en act verif{y,ication,ying} confirm{,ation,ing} authenticat{e,ion,or} authoriz{e,ation} activat{e,ion} login log sign signin signing two-factor 2fa mfa identity one-time
        en enter enter type use using input digits
        en old old previous former earlier
        en both order{,s} booking reservation tracking reference ref invoice ticket case product item promo promotion{,al} discount coupon voucher gift referral rebate zip postal post postcode area country dialing dial error status exit response source qr bar barcode sort swift dress zipcode vat tax sku article customer color colour hex build version release licence license serial model parcel shipment delivery shipping room gate flight branch sample http conduct conditions
        en other account acct phone telephone tel mobile call fax dial iban bic card ending ends amount total balance price sum paid cost fee payment since copyright year extension ext port street suite member membership policy contract receipt statement id population subscribers followers users views points miles steps employees meter box floor building postleitzahl subscription transaction
        en number number{,s} no nr num
        en unit usd eur gbp dollars euros pounds cents percent seconds second sec secs minutes minute min mins hours hour hrs days day weeks months years people users items points km kg miles px ms words characters steps times views orders customers kcal calories
        en link of
        en quiet here now today only below never immediately this your will must have code from with soon please http https html json url app sms email mail note important warning expires valid

        de code code{,s} kennzahl prüfziffer{,n} transaktionsnummer passcode{,s} zugangsnummer ^TAN ^PIN einmalkennung schlüsselzahl
        de secret passwort{,es} kennwort{,es} passwörter losung zugangsschlüssel
        de act bestätig{en,ung,e,t} verifizier{en,ung,e,ungs} anmeld{en,ung,e} einlogg{en} login aktivier{en,ung,e} freischalt{en,ung} identität identifizier{en,ung} authentifizier{en,ung} registrier{en,ung} zugang
        de enter eingeben eingabe geben verwenden lautet
        de old alter alte alten altes bisheriger vorheriger
        de both bestellung{,en} bestellnummer bestell buchung{,snummer} buchungscode auftrag{,s,snummer} auftragsnummer rechnung{,s,snummer} rechnungsnr referenz{,nummer} ticket{,nummer} vorgang{,snummer} aktenzeichen gutschein{,e,code} rabatt{,code} aktion{,scode} promo qr strich artikel artikelnummer kunden kundennr kundennummer sendung{,snummer} sendungsnummer paket lieferung postleitzahl plz fehler fehlercode vorwahl länder status quell version seriennummer modell farb farbe mitgliedsnummer vertragsnummer
        de other konto kontonummer telefon{,nummer} tel mobil handy rufnummer anruf rufen fax hotline iban bic karte karten kartennummer endet endend endziffern betrag summe gesamt preis euro kosten zahlung guthaben seit jahr straße strasse str hausnummer zimmer filiale steuernummer ust ustid hrb amtsgericht durchwahl postfach benutzernummer
        de number nummer{,n} nr zahl
        de unit euro eur cent prozent sekunden minuten minute stunden stunde tage tagen wochen jahre jahren uhr personen kunden punkte mitglieder
        de part bestätigungs verifizierungs verifikations sicherheits zugangs zugriffs anmelde anmeldungs login einmal aktivierungs freischalt freigabe registrierungs prüf identifikations identifizierungs legitimations authentifizierungs pass pin sms otp auth mail email wiederherstellungs rücksetz reset transaktions einmalpass einlog kopplungs geräte verknüpfungs m push chip photo app mobile i verifiserings verifiering verifierings bekräftelse engångs inloggnings aktiverings godkendelses bekræftelses engangs adgangs sikkerheds sikkerhets pålogging påloggings innloggings bekreftelses godkjennings säkerhets verificatie bevestigings beveiligings inlog toegangs eenmalige activatie aanmeld herstel controle vahvistus kertakäyttö turva kirjautumis varmistus todennus tunnistus aktivointi megerősítő ellenőrző biztonsági hitelesítő belépési bejelentkezési aktiváló egyszeri aktivačný sign
        de head code codes kode koden koder kod koden koodi koodisi koodin koodia koodilla koodiksi tan kennwort passwort wachtwoord lösenord losenord kodeord passord salasana salasanasi tunnus kód kódja kódod kódot kódját jelszó jelszava ziffer

        es code código{,s} clave{,s} pin{,s} otp token{,s}
        es secret contraseña{,s} contrasena{,s}
        es act verific{ar,ación,a,acion,ando,arte} confirm{ar,ación,acion,a} iniciar acceso acceder sesión activ{ar,ación,a} autentic{ar,ación,acion} seguridad identidad temporal
        es enter ingres{a,ar,e,o} introduc{e,ir,zca,elo} usa utiliza escribe
        es old antiguo anterior viejo
        es both pedido{,s} reserva reservación referencia factura{,s} ticket promocional promoción promo descuento cupón vale postal barras qr área error país cliente producto artículo seguimiento rastreo envío paquete expediente lote versión serie modelo color
        es other cuenta teléfono telefono tel móvil celular llam{a,e,ar,enos} fax tarjeta terminada termina termine importe total precio saldo pago monto desde año calle piso nif cif dni rfc iban socio contrato solicitud
        es number número{,s} núm num n
        es unit euro{,s} eur dólares pesos usd mxn minutos segundos horas días dias puntos años personas
        es link de del

        fr code code{,s} pin otp jeton mdp
        fr secret passe mot_passe
        fr act vérif{ier,ication,iez} confirm{er,ation,ez} connect{er,ez,é} connexion activ{er,ation,ez} authentifi{er,cation,ez} accès accéder sécurité identité identification inscription
        fr enter saisi{r,ssez,e} entrez utilisez usage
        fr old ancien précédent
        fr both commande{,s} réservation référence facture{,s} ticket promo promotion{,nel} réduction remise postal postaux barre{,s} qr erreur pays client produit article suivi colis livraison dossier avantage cadeau parrainage civil couleur version série modèle naf ape siret siren tva rcs
        fr other compte téléphone telephone tél tel mobile portable appel{ez,er} fax carte terminant finissant montant total prix solde paiement somme depuis année rue étage bureau iban contrat adhérent capital
        fr number numéro{,s} num no n
        fr unit euro{,s} eur centimes secondes minutes heures jours ans points personnes
        fr link de du d la des

        it code codice codici pin otp
        it secret password parola
        it act verific{a,are,he} conferm{a,are,arlo} acced{i,ere} accesso attiv{a,are,azione} autentic{a,are,azione} sicurezza identità temporaneo monouso
        it enter inserisci inserire digita usa utilizza usare
        it old vecchio precedente
        it both ordine ordini prenotazione riferimento fattura{,zione} biglietto ticket promozionale promo sconto buono postale barre qr fiscale errore paese cliente prodotto articolo tracciamento spedizione pacco pratica versione serie modello colore iva cap sdi destinatario
        it other conto telefono tel cellulare chiama{re,ci,te} fax carta termina terminante importo totale prezzo saldo pagamento dal anno via piano iban contratto tessera partita
        it number numero numeri num n
        it unit euro eur minuti secondi ore giorni anni punti persone
        it link di a del della

        pt code código{,s} codigo{,s} pin otp
        pt secret senha{,s} palavra-passe palavra_passe
        pt act verific{ar,ação,acao,e} confirm{ar,ação,acao,e} entrar iniciar acess{o,ar,e} ativ{ar,ação,e} autentic{ar,ação} segurança identidade temporária validação
        pt enter digite insira introduza use utilize
        pt old antigo anterior
        pt both pedido{,s} encomenda{,s} reserva referência fatura{,s} bilhete ticket promocional promo desconto cupom cupão postal barras qr erro país cliente produto artigo rastreamento rastreio envio pacote processo protocolo versão série modelo cor
        pt other conta telefone tel celular telemóvel ligue ligar fax cartão terminado termina final valor total preço saldo pagamento desde ano rua andar nif cnpj cpf cep iban contrato
        pt number número{,s} núm nº n
        pt unit euro{,s} eur reais brl minutos segundos horas dias anos pontos pessoas
        pt link de do da

        nl code code{,s} pincode{,s} ^TAN
        nl secret wachtwoord{,en}
        nl act verif{ieer,iëren,icatie} bevestig{,en,ing} inlog{gen} log aanmelden activeer activeren toegang identiteit authenticatie
        nl enter voer invoeren gebruik
        nl old oude vorige
        nl both bestelling{,en} bestelnummer order boeking{,snummer} boekingscode reservering{,snummer} referentie{,nummer} kenmerk factuur{,nummer} factuurnummer ticket kortingscode korting actiecode postcode streepjescode barcode qr fout foutcode land klant{,nummer} klantnummer artikelnummer artikel volgcode track zending{,snummer} pakket versie serienummer model kleur
        nl other rekening{,nummer} telefoon{,nummer} telefoonnummer tel mobiel bel bellen fax kaart eindigend bedrag totaal prijs saldo betaling sinds jaar straat kvk btw iban contract lidnummer
        nl number nummer{,s} nr
        nl unit euro eur seconden minuten minuut uur uren dagen jaar punten personen

        sv code kod{,en,er} pinkod{,en} engångskod{,en}
        sv secret lösenord{,et}
        sv act verifier{a,ing} bekräft{a,else,elsekod} logga inloggning aktiver{a,ing} identitet
        sv enter ange skriv använd
        sv old gamla tidigare
        sv both order{,nummer} beställning{,snummer} bokning{,snummer} bokningskod referens{,nummer} faktura{,nummer} fakturanummer ärende{,nummer} ärendenummer rabattkod rabatt postnummer streckkod qr felkod fel land kund{,nummer} kundnummer artikel{,nummer} spårning paket version serienummer modell färg
        sv other konto{,nummer} kontonummer telefon{,nummer} tel mobil ring fax kort slutar belopp summa totalt pris saldo betalning sedan =år gatan org orgnr organisationsnummer iban
        sv number nummer nr
        sv unit kronor kr sek euro sekunder minuter timmar dagar =år poäng personer

        da code kode{,n,r} engangskode{,n} pinkode{,n}
        da secret adgangskode{,n,r} kodeord{,et}
        da act bekræft{,e,else} verific{er,ere,ering} log aktiver{,e,ing} godkend{,e} login identitet
        da enter indtast brug
        da old gamle tidligere
        da both ordre{,nummer} ordrenummer bestilling{,snummer} booking{,snummer} reference{,nummer} faktura{,nummer} fakturanummer sag{,snummer} sagsnummer rabatkode rabat postnummer stregkode qr fejlkode fejl kunde{,nummer} kundenummer vare{,nummer} varenummer sporing pakke version serienummer model farve
        da other konto{,nummer} kontonummer telefon{,nummer} tlf tel mobil ring fax kort slutter beløb total pris saldo betaling siden =år vej cvr iban
        da number nummer nr
        da unit kroner kr dkk euro sekunder minutter timer dage =år point personer

        no code kode{,n,r} engangskode{,n}
        no secret passord{,et}
        no act bekreft{,e,else} verifiser{,e,ing} logg innlogging pålogging aktiver{,e,ing} identitet
        no enter skriv tast bruk
        no old gamle tidligere
        no both ordre{,nummer} bestilling{,snummer} bookingnummer referanse{,nummer} referansenummer faktura{,nummer} sak{,snummer} saksnummer rabattkode postnummer strekkode qr feilkode feil kunde{,nummer} vare{,nummer} sporing{,snummer} pakke versjon serienummer modell farge
        no other konto{,nummer} telefon{,nummer} tlf mobil ring faks kort slutter beløp sum totalt pris saldo betaling siden =år orgnr organisasjonsnummer
        no number nummer nr
        no unit kroner kr nok sekunder minutter timer dager =år poeng personer

        fi code koodi{,si,n,a,nne,lla,t} tunnusluku{,si} pin-koodi kertakäyttökoodi{,si}
        fi secret salasana{,si,n}
        fi act vahvist{a,us,aa,amiseen,uksen} kirjaud{u,utuminen} kirjautu{minen,a,miseen,aksesi} aktivoi aktivointi tunnista henkilöllisyytesi
        fi enter syötä käytä
        fi old vanha edellinen
        fi both tilaus{,numero,numerosi,koodi} tilausnumero{,si} tilauksesi varaus{,numero,koodi} varausnumero viite{,numero} viitenumero{,si} lasku{,n,numero} tapaus{,numero} alennus{,koodi} alennuskoodi{,si} postinumero viivakoodi qr virhe{,koodi} virhekoodi asiakas{,numero} asiakasnumero{,si} tuote{,numero} seuranta{,koodi} seurantakoodi{,si} paketti lähetys versio sarjanumero malli väri
        fi other tili{,numero} tilinumero{,si} puhelin{,numero} puh soita faksi kortti kortin päättyvä summa yhteensä hinta saldo maksu vuodesta vuosi katu y-tunnus iban
        fi number numero{,si,n} nro nr
        fi unit euroa eur senttiä sekuntia minuuttia tuntia päivää vuotta pistettä

        pl code kod{,u,em,y,zie} pin{,u,em} otp
        pl secret hasło hasła hasłem
        pl act weryfik{acja,acji,acyjny,uj,ować} potwierdź potwierdz{enie,enia,ić} zaloguj logowani{a,e,u} aktywacj{a,i} autoryzacj{a,i} uwierzytelni{anie,ania,enie} jednorazow{y,e,ego} tożsamość bezpieczeństwa
        pl enter wpisz wprowadź użyj
        pl old stary poprzedni
        pl both zamówieni{e,a,u} rezerwacj{a,i} referencyjn{y,a} faktur{a,y} zgłoszeni{e,a} rabatow{y,ego} rabat promocyjny pocztowy kreskow{y,ego} qr błędu kierunkowy klienta klient produktu towaru przesyłk{a,i} paczk{a,i} wersja seryjny model kolor sprawy
        pl other konto konta rachun{ek,ku} telefon{,u} tel komórka zadzwoń faks karta karty kończ{ąca,ącej,ący} kwota kwotę suma razem cena saldo płatność od roku rok ul ulica nip regon krs iban umowy
        pl number numer{,u,em} nr
        pl unit zł złotych pln euro eur sekund minut minuty godzin godziny dni lat punktów osób

        cs code kód{,u,em,y} kod{,u,em} pin{,u,em}
        cs secret heslo hesla heslem
        cs act ověř{it,ení,te,ovací} ověřovací potvrď{te,it} potvrz{ení,ovací} potvrzovací potvrdit přihlás{it,te} přihlášení přihlašovací aktivac{e,i} aktivační jednorázov{ý,é} totožnost bezpečnostní
        cs enter zadejte použijte
        cs old starý předchozí
        cs both objednávk{a,y,u} objednávky rezervac{e,i} referenční variabilní faktur{a,y} faktury případu slevový slevu poštovní psč čárový qr chyby chybový zákazník{a} zákaznické produktu zásilk{a,y} zásilky balík verze sériové model barva
        cs other účet účtu účet telefon{,u} tel mobil volejte fax kart{a,y} karty končící částka celkem cena zůstatek platba od rok ulice ičo dič iban smlouvy
        cs number číslo čísla č nr
        cs unit kč korun czk eur euro sekund minut minuty hodin dní let bodů

        sk act overovací overenie potvrdzovací potvrdenie prihlásenie prihlasovací aktivačný
        sk enter zadajte
        sk both objednávka rezervácia zľavový poštové

        hu code kód{,ja,od,ot,ját,odat,dal,juk} kod{,ja,od} jelkód pin-kód pin-kódja
        hu secret jelszó jelszav{a,ad,át} jelszó
        hu act erősítse megerősít{ő,és,éshez,ése} ellenőrző ellenőrzés hitelesít{ő,és} belép{és,ési,éshez} bejelentkez{és,ési,éshez} aktivál{ó,ás} egyszeri azonosít{ó,ás} biztonsági
        hu enter adja írja használja
        hu old régi előző
        hu both rendelés{,i,e,ének} rendelési foglalás{,i} foglalási hivatkozási számla{,szám} számlaszám ügyszám kedvezménykód kupon{,kód} irányítószám vonalkód qr hibakód hiba ügyfél ügyfélszám termék cikkszám csomag csomagszám nyomkövetési szállítmány verzió sorozatszám modell szín
        hu other számla folyószámla telefon{,szám} telefonszám tel mobil hívja fax kártya végű végződő összeg összesen =ár egyenleg fizetés óta év utca adószám iban szerződés
        hu number szám{a,ot} sz száma
        hu unit ft forint huf euró eur másodperc percig perc óra óráig nap napig év pont

        ro code cod{,ul,ului} parolă
        ro act verificare confirmare confirmă autentificare conectare activare
        ro enter introduceți introdu
        ro both comandă comenzii comanda rezervare factură factura poștal reducere promoțional eroare client bare

        tr code kod{,u,unuz,un,unuzu,lar,uyla} pin otp
        tr secret şifre{,niz,n,nizi,si} parola{,nız,n,nızı,sı}
        tr act doğrula{ma,yın,mak,yıcı} giriş onay onayla{,ma,yın} oturum etkinleştir{me,in} aktivasyon güvenlik kimlik tek
        tr enter girin gir kullanın
        tr old eski önceki
        tr both sipariş{,iniz,in} siparişiniz rezervasyon{,unuz} referans fatura{,nız} talep indirim kupon promosyon posta barkod qr hata müşteri ürün takip kargo gönderi paket sürüm seri model renk alan ülke
        tr other hesap hesab{ınız,ı} telefon{,u} tel cep ara{yın} faks kart{ınız,ı} biten tutar toplam fiyat bakiye ödeme beri yıl{ı,ından} cadde sokak vergi iban
        tr number numara{sı,nız} no nolu
        tr unit tl lira try euro saniye dakika saat gün yıl puan kişi

        ru code код{,а,ом,у,ы} пин пин-код{,а} отп
        ru secret пароль пароля паролем
        ru act подтвер{дите,ждения,ждение,дить,ждающий} подтвердит{е,ь} войти вход{,а,е} авторизаци{я,и} активаци{я,и} проверочный проверк{а,и} одноразов{ый,ого} доступ{,а} безопасности регистраци{я,и} верификаци{я,и}
        ru enter введите используйте
        ru old старый предыдущий прежний
        ru both заказ{,а,у,ом} заказа бронирован{ие,ия} брони счета счет счёт обращени{е,я} заявк{а,и} промо промокод скидк{а,и,у} купон{,а} почтовый индекс штрих штрихкод qr ошибк{а,и} страны город{а} товара артикул клиента посылк{а,и} отправлени{е,я} накладн{ая,ой} отслеживания трек версия серийный модель цвет подразделения договор{,а}
        ru other аккаунт счёта телефон{,а,у} тел моб звоните позвоните факс карт{а,ы,е} оканчива{ющаяся,ющейся} сумм{а,ы,у} итого цена баланс оплат{а,ы} с год{а,у} ул улица дом офис инн огрн кпп бик
        ru number номер{,а,ом} №
        ru unit руб рублей рубля евро долларов секунд минут минуты часов часа дней лет баллов человек г

        uk code код{,у,ом,и} пін
        uk secret пароль пароля паролем
        uk act підтверд{іть,ження,ити} підтвердження увійти вхід вхід входу авторизаці{я,ї} активаці{я,ї} перевірк{а,и} одноразов{ий,ого} безпеки верифікаці{я,ї} реєстраці{я,ї}
        uk enter введіть використайте
        uk old старий попередній
        uk both замовленн{я,і} бронюванн{я} рахунку рахунок зверненн{я} знижк{а,и,у} промокод купон{,а} поштовий індекс штрих штрихкод помилк{а,и} країни товару артикул клієнта посилк{а,и} відправленн{я} накладн{а,ої} версія серійний модель колір договір договору
        uk other акаунт телефон{,у} тел моб телефонуйте дзвоніть факс картк{а,и} закінчується сум{а,и,у} разом ціна баланс оплат{а,и} з рік року вул вулиця будинок єдрпоу іпн
        uk number номер{,а,ом}
        uk unit грн гривень євро секунд хвилин хвилини годин днів років балів осіб

        el code κωδικ{ός,ό,ού,οί,ούς} pin otp
        el secret συνθηματικό
        el act επαλήθευσ{η,ης} επιβεβαίωσ{η,ης} επιβεβαιώστε σύνδεσ{η,ης} συνδεθείτε ενεργοποίησ{η,ης} ταυτοποίησ{η,ης} πρόσβασ{η,ης} ασφαλείας
        el enter εισαγ{άγετε,ωγή} εισάγετε χρησιμοποιήστε
        el old παλιός προηγούμενος
        el both παραγγελία{,ς} κράτησ{η,ης} αναφοράς τιμολόγι{ο,ου} αιτήματος έκπτωσ{η,ης} κουπονι{ού} προσφοράς ταχυδρομικός ταχ τκ γραμμωτός qr σφάλματος χώρας πελάτη προϊόντος δέματος αποστολής παρακολούθησης έκδοση σειριακός μοντέλο χρώμα
        el other λογαριασμ{ός,ού,ό} τηλέφων{ο,ου} τηλ κινητό καλέστε φαξ κάρτα κάρτας λήγει ποσό σύνολο τιμή υπόλοιπο πληρωμή από έτος οδός αφμ iban
        el number αριθμ{ός,ό,ού} αρ
        el unit ευρώ eur δευτερόλεπτα λεπτά ώρες ημέρες έτη πόντοι

        ar code رمز الرمز رمزك برمز كود الكود كودك pin رمزُ
        ar secret كلمة_المرور كلمة_مرور كلمة_السر المرور
        ar act التحقق تحقق تأكيد أكد لتأكيد الدخول تسجيل لتسجيل التفعيل تفعيل المصادقة الأمان هويتك السري
        ar enter أدخل ادخل استخدم
        ar both الطلب طلب طلبك طلبكم الحجز حجز حجزك المرجع مرجع مرجعي الفاتورة فاتورة تذكرة التذكرة خصم الخصم قسيمة كوبون ترويجي البريدي بريدي الشحنة شحنة شحنتك الطرد التتبع تتبع العميل عميل المنتج منتج خطأ الخطأ الدولة الإصدار التسلسلي اللون
        ar other حساب الحساب حسابك هاتف الهاتف جوال الجوال اتصل فاكس بطاقة البطاقة بطاقتك المنتهية تنتهي المبلغ مبلغ الإجمالي المجموع السعر الرصيد دفع منذ عام سنة شارع صندوق
        ar number رقم الرقم
        ar unit ريال درهم دينار جنيه دولار يورو ثانية دقيقة دقائق ساعة ساعات أيام يوم نقطة

        fa code رمز کد کدِ رمزعبور رمزتان کدتان گذرواژه
        fa secret گذرواژه کلمه_عبور عبور
        fa act تایید تأیید تائید ورود فعالسازی فعال یکبار پویا احراز هویت امنیتی
        fa enter وارد استفاده
        fa both سفارش رزرو مرجع فاکتور تیکت تخفیف پستی کوپن خطا کشور مشتری محصول کالا رهگیری پیگیری مرسوله بسته نسخه سریال مدل رنگ ملی
        fa other حساب تلفن موبایل همراه تماس فکس کارت منتهی مبلغ جمع قیمت موجودی پرداخت از سال خیابان
        fa number شماره
        fa unit ریال تومان یورو دلار ثانیه دقیقه ساعت روز سال امتیاز

        he code קוד הקוד קודך בקוד הקודים סיסמת
        he secret סיסמה הסיסמה סיסמא סיסמתך
        he act אימות האימות לאימות אישור לאישור התחברות כניסה הכניסה להתחבר להפעלה הפעלה פעמי אבטחה זיהוי
        he enter הזן הזינו הקלד
        he both הזמנה ההזמנה הזמנתך אסמכתא חשבונית קבלה פנייה הנחה קופון מבצע מיקוד ברקוד שגיאה לקוח הלקוח מוצר משלוח המשלוח חבילה מעקב גרסה סידורי דגם צבע
        he other חשבון חשבונך החשבון טלפון הטלפון נייד התקשרו פקס כרטיס הכרטיס מסתיים המסתיים סכום סה"כ מחיר יתרה תשלום מאז שנת רחוב ח"פ עוסק
        he number מספר מס
        he unit שקלים ש"ח שח אירו שניות דקות שעות ימים שנים נקודות

        hi code कोड ओटीपी पिन कूट
        hi secret पासवर्ड
        hi act सत्यापन सत्यापित पुष्टि लॉगिन लॉग साइन सक्रियण प्रमाणीकरण सुरक्षा
        hi enter दर्ज उपयोग
        hi both ऑर्डर आर्डर बुकिंग संदर्भ चालान इनवॉइस टिकट छूट कूपन प्रोमो डाक पिन_कोड बार बारकोड त्रुटि ग्राहक उत्पाद शिपमेंट पार्सल ट्रैकिंग संस्करण सीरियल मॉडल रंग
        hi other खाता खाते फ़ोन फोन मोबाइल कॉल फैक्स कार्ड समाप्त राशि कुल मूल्य बैलेंस भुगतान से वर्ष सड़क
        hi number संख्या नंबर क्रमांक
        hi unit रुपये रुपए रु यूरो डॉलर सेकंड मिनट घंटे दिन साल अंक

        th code รหัส โค้ด รหัสยืนยัน รหัสผ่าน พิน รหัสความปลอดภัย
        th secret ระบุ
        th act ยืนยัน เข้าสู่ระบบ ลงชื่อเข้าใช้ เปิดใช้งาน ตัวตน
        th enter กรอก
        th both คำสั่งซื้อ รหัสคำสั่งซื้อ การจอง รหัสการจอง อ้างอิง รหัสอ้างอิง ใบแจ้งหนี้ ใบเสร็จ ส่วนลด รหัสส่วนลด โค้ดส่วนลด คูปอง รหัสไปรษณีย์ ไปรษณีย์ บาร์โค้ด คิวอาร์โค้ด รหัสสินค้า รหัสลูกค้า ลูกค้า สินค้า พัสดุ ติดตาม ข้อผิดพลาด รหัสข้อผิดพลาด เวอร์ชัน รุ่น ตั๋ว
        th other บัญชี โทรศัพท์ โทร มือถือ แฟกซ์ บัตร ลงท้าย จำนวนเงิน ยอด รวม ราคา ตั้งแต่ ปี ถนน
        th number หมายเลข เลขที่ เลข
        th unit บาท นาที วินาที ชั่วโมง วัน ปี คะแนน

        vi code =mã mật_mã ma_xac ma_otp ma_kich ma_dang ma_pin ma_bao
        vi secret mat_khau
        vi act xac_nhan xac_minh xac_thuc dang_nhap kich_hoat bao_mat
        vi enter nhap
        vi both don_hang đặt_chỗ dat_cho dat_phong tham_chieu hoa_don giam_gia khuyen_mai buu_chinh buu_dien vạch ma_vach van_don khach_hang san_pham =lỗi phien_ban sê-ri mau_sac
        vi other tai_khoan dien_thoai =đt =gọi fax =thẻ so_tien so_du thanh_toan =từ =năm =đường
        vi number =số
        vi unit đồng dong vnd vnđ usd giây phút =giờ ngày điểm

        id code kode kodenya pin otp
        id secret sandi kata_sandi
        id act verifikasi konfirmasi masuk login aktivasi autentikasi keamanan identitas sekali
        id enter masukkan gunakan
        id old lama sebelumnya
        id both pesanan pemesanan order booking referensi faktur tiket diskon promo voucher kupon pos batang kesalahan pelanggan produk resi pengiriman paket pelacakan versi seri model warna negara
        id other akun rekening telepon telp hp ponsel hubungi faks kartu berakhir jumlah total harga saldo pembayaran sejak tahun jalan
        id number nomor no
        id unit rupiah rp idr detik menit jam hari tahun poin

        zh code 验证码 校验码 动态码 激活码 验证代码 授权码 确认码 登录码 安全码 动态密码 一次性密码 短信码 口令 識別碼 驗證碼 校驗碼 動態碼 啟用碼 驗證代碼 授權碼 確認碼 登入碼 安全碼 認證碼 认证码 一次性密碼 代码 代碼 驗證密碼 动态口令 随机码 通行码 識別代碼
        zh secret 密码 密碼
        zh act 验证 驗證 登录 登入 登錄 确认 確認 激活 注册 註冊
        zh enter 输入 輸入
        zh both 邮政编码 郵遞區號 邮编 條碼 条码 条形码 二维码 二維碼 订单 訂單 订单号 訂單編號 预订 預訂 快递 快遞 运单 運單 单号 單號 发票 發票 客户 客戶 商品 货号 优惠码 優惠碼 折扣码 折扣碼 优惠券 邀请码 错误代码 錯誤代碼 错误码 版本 型号 型號 序列号 序號 颜色 参考 參考 工单 取件码 提货码 股票代码 国家代码
        zh other 账号 帳號 账户 帳戶 电话 電話 手机 手機 致电 尾号 尾號 末四位 银行卡 卡号 卡號 金额 金額 合计 总计 總計 价格 價格 余额 餘額 支付 付款 自 年 地址 路 学号 身份证
        zh number 号码 號碼 编号 編號
        zh unit 元 人民币 美元 欧元 秒 分钟 分鐘 小时 小時 天 日 月 年 积分 人 次 件

        ja code 認証コード 確認コード 認証番号 確認番号 ワンタイムパスワード ワンタイムコード 検証コード ログインコード セキュリティコード 暗証番号 パスコード コード 認証キー 確認キー ワンタイムパス アクセスコード 承認番号 承認コード アクティベーションコード 有効化コード
        ja secret パスワード
        ja act 認証 確認 ログイン サインイン 有効化 本人確認 検証 登録
        ja enter 入力
        ja both 郵便番号 バーコード 注文 注文番号 ご注文番号 予約 予約番号 参照番号 請求書 請求番号 問い合わせ番号 お問い合わせ番号 受付番号 クーポン クーポンコード 割引コード プロモコード 追跡番号 追跡 伝票番号 商品 商品番号 商品コード お客様番号 会員番号 エラーコード エラー バージョン シリアル番号 型番 色 カラーコード 国コード 招待コード ソースコード 予約コード
        ja other 口座 口座番号 電話 電話番号 携帯 ファックス カード カード番号 末尾 下4桁 金額 合計 価格 残高 支払い 創業 年 住所 アカウント 契約番号
        ja number 番号
        ja unit 円 秒 分 時間 時 日 月 年 ポイント 人 件 個 名

        ko code 인증번호 인증코드 확인코드 코드 일회용비밀번호 보안코드 승인번호 확인번호 로그인코드 활성화코드 일회용암호 암호 인증키
        ko secret 비밀번호
        ko act 인증 확인 로그인 활성화 본인확인 검증 가입
        ko enter 입력
        ko both 우편번호 바코드 주문 주문번호 예약 예약번호 참조번호 청구서 문의번호 접수번호 쿠폰 쿠폰코드 할인코드 쿠폰번호 프로모션코드 운송장 운송장번호 송장번호 송장 상품 상품코드 상품번호 고객번호 회원번호 오류코드 오류 버전 일련번호 모델 색상 국가코드 초대코드 예약코드
        ko other 계좌 계좌번호 전화 전화번호 휴대폰 팩스 카드 카드번호 끝자리 금액 합계 가격 잔액 결제 설립 년 주소 계정
        ko number 번호
        ko unit 원 초 분 시간 일 월 년 포인트 명 건 개
        """
}
