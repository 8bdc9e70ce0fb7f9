"""Abbreviations and acronyms known to the PTB tokeniser.

In: nothing. Out: patterns `ACRONYM`, `DOTTED_ACRONYM`, `FINAL_ABBREVIATION`
(may end a sentence), `INNER_ABBREVIATION` (never does), `NUMBER_ABBREVIATION`
(only before a digit); `ABBREVIATIONS`, all of them in lower case.
"""

from spicepy.tokenization.classes import any_case, one_of, words

_FINAL = words("""
Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec
Mon Tue Tues Wed Thu Thurs Fri
Ala Ariz Calif Colo Conn Ct Dak Fla Ga Ind Kan Kans Ky Md Mich Minn Mo Mont Neb
Nev Okla Penn Tenn Va Vt Wis Wisc Wyo
Inc Co Cos Corp Ltd Plc Rt Bancorp Bhd
Assn Univ Intl Sys
tel est ext sq Jr Sr Bros Ed.D Ph.D Blvd Rd Esq etc al seq Bldg
""")

# Any case but for the vowel: "PTe" is one, "PTE" is not.
_COMPANIES = words("pte ptes ppte pptes pty ptys ppty pptys")

_FINAL_CAPITAL = words("Az Ark Del Ill La Mass Miss Ore Pa Tex Wash")

_INNER = words("""
Mr Mrs Ms Dr Drs Prof Profs Sen Sens Rep Reps Atty Attys Lt Col Gen Messrs
Gov Govs Adm Rev Maj Sgt Cpl Pvt Capt St Ste Ave Pres Lieut Hon Brig Cmdr
Comdr Pfc Spc Supt Supts Det Mt Ft Adj Adv Asst Assoc Ens Insp Mlle Mme Msgr
Sfc vs Alex Wm Jos Cie a.k.a cf treas Ph Invt Elec Natl Dept Mfg Mtg
""")

_BEFORE_NUMBER = words("ca fig figs prop no nos art bldg pp op")

ABBREVIATIONS = frozenset(
    word.lower()
    for word in (*_FINAL, *_COMPANIES, *_FINAL_CAPITAL, *_INNER, *_BEFORE_NUMBER)
)


def _capitalised(literals: list[str]) -> str:
    """Return any of `literals` with a capital first letter, the rest in either case."""
    ordered = sorted(literals, key=len, reverse=True)
    return "|".join(word[0] + any_case(word[1:]) for word in ordered)


# The longer forms stand first: alternatives are tried in order.
_COUNTRY = (
    f"{any_case('U.S.-U.S.S.R')}|{any_case('U.S.-U.K')}"
    f"|{one_of(['Canada', 'Sino', 'Korean', 'EU', 'Japan', 'non'])}{any_case('-U.S')}"
)
ACRONYM = rf"(?:{_COUNTRY}|[A-Za-z](?:\.[A-Za-z])*)"
DOTTED_ACRONYM = r"(?:[A-Za-z](?:\.[A-Za-z])+)"

FINAL_ABBREVIATION = (
    f"(?:{one_of(_FINAL)}|[pP]{{1,2}}[tT][ey][sS]?|{_capitalised(_FINAL_CAPITAL)})"
)
INNER_ABBREVIATION = f"(?:{ACRONYM}|{one_of(_INNER)}|{_capitalised(['Miss'])})"
NUMBER_ABBREVIATION = one_of(_BEFORE_NUMBER)
